#include "core/requests/missing_qualities.hh"

namespace tributary {

void MissingQualities::lacks(SegmentIndex segment, QualityIndex quality, TimePoint now) {
  lacking_[segment].insert(quality);
  if (in_a_row(segment, quality) >= kManyInARow) lacks_init(quality, now);
}

std::optional<QualityIndex> MissingQualities::instead_of(QualityIndex wanted, SegmentIndex segment,
                                                         QualityIndex highest, TimePoint now) const {
  std::optional<QualityIndex> left_out;
  const auto may_be_had = [&](QualityIndex quality) {
    if (is_lacking(segment, quality)) return false;
    if (!is_left_out(quality, now)) return true;
    if (!left_out) left_out = quality;
    return false;
  };
  for (std::size_t q = to_index(wanted) + 1; q-- > 0;) {
    if (may_be_had(static_cast<QualityIndex>(q))) return static_cast<QualityIndex>(q);
  }
  for (std::size_t q = to_index(wanted) + 1; q <= to_index(highest); ++q) {
    if (may_be_had(static_cast<QualityIndex>(q))) return static_cast<QualityIndex>(q);
  }
  return left_out;
}

bool MissingQualities::is_lacking(SegmentIndex segment, QualityIndex quality) const {
  const auto found = lacking_.find(segment);
  return found != lacking_.end() && found->second.contains(quality);
}

bool MissingQualities::is_left_out(QualityIndex quality, TimePoint now) const {
  const auto found = left_out_until_.find(quality);
  return found != left_out_until_.end() && now < found->second;
}

/// Links answer in any order: the segment may be any of those in the row.
std::size_t MissingQualities::in_a_row(SegmentIndex segment, QualityIndex quality) const {
  std::size_t count = 1;
  for (std::size_t i = to_index(segment); i > 0 && is_lacking(static_cast<SegmentIndex>(i - 1), quality); --i) ++count;
  for (SegmentIndex later = next(segment); is_lacking(later, quality); later = next(later)) ++count;
  return count;
}

}  // namespace tributary
