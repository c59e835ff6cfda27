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

ByteSet up_to(DataSize end, const ByteSet& bytes) {
  ByteSet kept;
  for (const ByteRange& range : bytes.ranges()) {
    const ByteRange inside = intersection(range, {DataSize{}, end});
    if (!inside.empty()) kept.add(inside);
  }
  return kept;
}

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
  part.asked_ahead = up_to(size, part.asked_ahead);
  part.received = up_to(size, part.received);
  for (WantedRange& wanted : given_back_) {
    if (wanted.part == index) wanted.range = intersection(wanted.range, {DataSize{}, size});
  }
  std::erase_if(given_back_, [](const WantedRange& wanted) { return wanted.range.empty(); });
}

void SegmentAssembly::give_out_whole() {
  comes_whole_ = true;
  for (Part& part : parts_) part.given_out_to = part.size;
}

void SegmentAssembly::reaches(std::uint32_t index, DataSize end) {
  Part& part = parts_[index];
  part.size = std::max(part.size, end);
  part.given_out_to = std::max(part.given_out_to, end);
  part.ask({part.asked, std::max(part.asked, end)});
}

void SegmentAssembly::comes_otherwise(DataSize here, DataSize until) {
  Part& part = parts_.front();
  if (part.asked == DataSize{} && part.asked_ahead.ranges().empty()) {
    comes_otherwise_ = std::min(until, part.size);
    part.ask({DataSize{}, comes_otherwise_});
  }
  part.received.add({DataSize{}, std::min(here, comes_otherwise_)});
  if (until >= comes_otherwise_) return;
  give_back({0, {until, comes_otherwise_}, {}, 0});
  comes_otherwise_ = until;
}

void SegmentAssembly::Part::ask(ByteRange range) {
  if (range.begin > asked) {
    asked_ahead.add(range);
    return;
  }
  asked = std::max(asked, range.end);
  ByteSet further;
  for (const ByteRange& ahead : asked_ahead.ranges()) {
    if (ahead.begin <= asked)
      asked = std::max(asked, ahead.end);
    else
      further.add(ahead);
  }
  asked_ahead = further;
}

std::optional<WantedRange> SegmentAssembly::next_new() const {
  const auto found = std::ranges::find_if(parts_, &Part::any_new);
  if (found == parts_.end()) return std::nullopt;
  return WantedRange{static_cast<std::uint32_t>(found - parts_.begin()), found->new_ranges().front(), {}, 0};
}

DataSize SegmentAssembly::new_bytes() const {
  DataSize total;
  for (const Part& part : parts_) total += part.size - part.asked - part.asked_ahead.size();
  return total;
}

void SegmentAssembly::take_new(DataSize size) {
  std::optional<WantedRange> wanted = next_new();
  assert(wanted && size <= wanted->range.size());
  wanted->range.end = wanted->range.begin + size;
  take(*wanted);
}

WantedRange SegmentAssembly::place_behind(DataSize others, DataSize size, DataSize least_gap) const {
  WantedRange place = *next_new();
  const std::vector<ByteRange> gaps = parts_[place.part].new_ranges();
  auto gap = gaps.begin();
  for (; gap + 1 != gaps.end() && others >= gap->size(); ++gap) others -= gap->size();
  place.range = *gap;
  ByteRange& range = place.range;
  size = std::min(size, range.size());
  DataSize in_front = std::min(others, range.size() - size);
  // Bytes further back may not exist.
  const Part& part = parts_[place.part];
  if (part.estimated) in_front = std::clamp(scale(part.size, 0.5) - range.begin, DataSize{}, in_front);
  if (in_front < least_gap) in_front = DataSize{};
  range.begin += in_front;
  if (range.size() - size >= least_gap) range.end = range.begin + size;
  return place;
}

void SegmentAssembly::take(const WantedRange& place) { parts_[place.part].ask(place.range); }

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
  comes_otherwise_ = {};
  given_back_.push_back({part, {DataSize{}, parts_[part].size}, failed_on, wrong_answers});
  parts_[part].given_out_to = parts_[part].asked = parts_[part].size;
  parts_[part].asked_ahead = {};
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

DataSize SegmentAssembly::size() const {
  DataSize total;
  for (const Part& part : parts_) total += part.size;
  return total;
}

DataSize SegmentAssembly::missing() const {
  DataSize total;
  for (const Part& part : parts_) total += part.size - part.received.size();
  return total;
}

}  // namespace tributary
