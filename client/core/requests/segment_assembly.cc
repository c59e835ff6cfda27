#include "core/requests/segment_assembly.hh"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tributary {

namespace {

constexpr DataSize kSmall{100'000};  // a part that is asked for in one request, or few
constexpr double kMargin = 1.25;     // five of six segments are smaller than that times their estimate
constexpr double kErrors = 4;        // by which a segment is smaller than its estimate, at the most

/// The part of an estimate that most likely exists.
double safe_part(double error) { return std::max(0.5, 1 - kErrors * error); }

}  // namespace

SegmentAssembly::SegmentAssembly(SegmentIndex segment, QualityIndex quality, const std::vector<PartSize>& part_sizes,
                                 std::uint32_t init_parts)
    : segment_{segment}, quality_{quality}, init_parts_{init_parts} {
  for (const auto& [size, estimated, error] : part_sizes) {
    if (!estimated) {
      parts_.push_back({size, false, size});
    } else if (size < kSmall) {
      const DataSize with_margin = std::max(scale(size, kMargin), DataSize{1});
      parts_.push_back({with_margin, true, with_margin});
    } else {
      parts_.push_back({size, true, scale(size, safe_part(error))});
    }
  }
}

bool SegmentAssembly::all_sizes_are_known() const {
  return std::ranges::none_of(parts_, [](const Part& part) { return part.estimated; });
}

void SegmentAssembly::learn_size(std::uint32_t index, DataSize size) {
  Part& part = parts_[index];
  part.size = size;
  part.estimated = false;
  part.asked = std::min(part.asked, size);
  ByteSet kept;
  for (const ByteRange& range : part.received.ranges()) {
    const ByteRange inside = intersection(range, {DataSize{}, size});
    if (!inside.empty()) kept.add(inside);
  }
  part.received = kept;
  for (WantedRange& wanted : given_back_) {
    if (wanted.part == index) wanted.range = intersection(wanted.range, {DataSize{}, size});
  }
  std::erase_if(given_back_, [](const WantedRange& wanted) { return wanted.range.empty(); });
}

void SegmentAssembly::reaches(std::uint32_t index, DataSize end) {
  Part& part = parts_[index];
  part.size = std::max(part.size, end);
  part.given_out_to = std::max(part.given_out_to, end);
  part.asked = std::max(part.asked, end);
}

std::optional<WantedRange> SegmentAssembly::next_new() const {
  const auto found = std::ranges::find_if(parts_, [](const Part& part) { return part.asked < part.end_of_new(); });
  if (found == parts_.end()) return std::nullopt;
  return WantedRange{static_cast<std::uint32_t>(found - parts_.begin()), {found->asked, found->end_of_new()}, {}, 0};
}

DataSize SegmentAssembly::new_bytes() const {
  DataSize total;
  for (const Part& part : parts_) total += part.size - part.asked;
  return total;
}

void SegmentAssembly::take_new(DataSize size) {
  const auto part = std::ranges::find_if(parts_, [](const Part& p) { return p.asked < p.end_of_new(); });
  assert(part != parts_.end() && part->asked + size <= part->end_of_new());
  part->asked += size;
}

DataSize SegmentAssembly::given_back_bytes() const {
  DataSize total;
  for (const WantedRange& wanted : given_back_) total += wanted.range.size();
  return total;
}

void SegmentAssembly::give_back(const WantedRange& wanted) {
  const Part& part = parts_[wanted.part];
  const ByteRange range = part.estimated ? wanted.range : intersection(wanted.range, {DataSize{}, part.size});
  for (const ByteRange& gap : part.received.gaps_in(range)) {
    given_back_.push_back({wanted.part, gap, wanted.failed_on, wanted.wrong_answers});
  }
}

WantedRange SegmentAssembly::take_given_back(std::size_t index) {
  const WantedRange wanted = given_back_[index];
  given_back_.erase(given_back_.begin() + static_cast<std::ptrdiff_t>(index));
  return wanted;
}

void SegmentAssembly::restart_part(std::uint32_t part, LinkId failed_on, std::uint32_t wrong_answers) {
  std::erase_if(given_back_, [&](const WantedRange& wanted) { return wanted.part == part; });
  parts_[part].received = {};
  given_back_.push_back({part, {DataSize{}, parts_[part].size}, failed_on, wrong_answers});
  parts_[part].given_out_to = parts_[part].asked = parts_[part].size;
}

void SegmentAssembly::receive(std::uint32_t part, ByteRange range, bool to_its_end) {
  Part& to = parts_[part];
  assert(range.end <= to.size);
  to.received.add(range);
  // All that was asked for has come, and no answer has told the size: there is more, or an answer will tell the end.
  if (to.estimated && !to_its_end && to.asked == to.given_out_to && to.received.size() == to.asked) {
    to.given_out_to += std::max(scale(to.asked, 0.5), kSmall);
    to.size = std::max(to.size, to.given_out_to);
  }
}

DataSize SegmentAssembly::missing() const {
  DataSize total;
  for (const Part& part : parts_) total += part.size - part.received.size();
  return total;
}

}  // namespace tributary
