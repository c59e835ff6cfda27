#include "core/requests/missing_qualities.hh"

#include <algorithm>
#include <utility>

namespace tributary {

void MissingQualities::note(SegmentIndex segment, QualityIndex quality) {
  if (!is_lacking(segment, quality)) lacking_[segment].qualities.push_back(quality);
}

bool MissingQualities::lacks(SegmentIndex segment, QualityIndex quality, TimePoint now) {
  note(segment, quality);
  lacking_[segment].may_come_yet = false;
  return in_a_row(segment, quality) >= kManyInARow && lacks_init(quality, now);
}

bool MissingQualities::lacks_init(QualityIndex quality, TimePoint now) {
  const bool before = is_left_out(quality, now);
  left_out_until_[quality] = now + kLeftOutFor;
  return !before;
}

void MissingQualities::lacks_until_now(SegmentIndex segment, QualityIndex quality) {
  note(segment, quality);
  lacking_[segment].may_come_yet = true;
}

std::vector<QualityIndex> MissingQualities::came(SegmentIndex segment, TimePoint now) {
  std::vector<QualityIndex> left_out;
  const auto found = lacking_.find(segment);
  if (found == lacking_.end() || !std::exchange(found->second.may_come_yet, false)) return left_out;
  for (const QualityIndex quality : found->second.qualities) {
    if (in_a_row(segment, quality) >= kManyInARow && lacks_init(quality, now)) left_out.push_back(quality);
  }
  return left_out;
}

QualityIndex MissingQualities::not_there_yet(SegmentIndex segment, TimePoint now) {
  Lacking& lacking = lacking_.at(segment);
  const QualityIndex first = lacking.qualities.front();
  lacking = {.looked_everywhere = now};
  return first;
}

bool MissingQualities::looks_for(SegmentIndex segment) const {
  const auto found = lacking_.find(segment);
  return found != lacking_.end() && !found->second.qualities.empty();
}

std::optional<TimePoint> MissingQualities::looked_everywhere(SegmentIndex segment) const {
  const auto found = lacking_.find(segment);
  return found == lacking_.end() ? std::nullopt : found->second.looked_everywhere;
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
  return found != lacking_.end() &&
         std::ranges::find(found->second.qualities, quality) != found->second.qualities.end();
}

bool MissingQualities::lacks_for_good(SegmentIndex segment, QualityIndex quality) const {
  return is_lacking(segment, quality) && !lacking_.at(segment).may_come_yet;
}

bool MissingQualities::is_left_out(QualityIndex quality, TimePoint now) const {
  const auto found = left_out_until_.find(quality);
  return found != left_out_until_.end() && now < found->second;
}

/// Links answer in any order: the segment may be any of those in the row.
std::size_t MissingQualities::in_a_row(SegmentIndex segment, QualityIndex quality) const {
  std::size_t count = 1;
  for (std::size_t i = to_index(segment); i > 0 && lacks_for_good(static_cast<SegmentIndex>(i - 1), quality); --i)
    ++count;
  for (SegmentIndex later = next(segment); lacks_for_good(later, quality); later = next(later)) ++count;
  return count;
}

}  // namespace tributary
