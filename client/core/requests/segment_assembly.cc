#include "core/requests/segment_assembly.hh"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tributary {

SegmentAssembly::SegmentAssembly(SegmentIndex segment, QualityIndex quality, const std::vector<DataSize>& part_sizes)
    : segment_{segment}, quality_{quality} {
  for (const DataSize size : part_sizes) parts_.push_back({size, {}});
}

std::optional<WantedRange> SegmentAssembly::next_new() const {
  if (next_part_ == parts_.size()) return std::nullopt;
  return WantedRange{next_part_, {next_offset_, parts_[next_part_].size}, std::nullopt, 0};
}

DataSize SegmentAssembly::new_bytes() const {
  DataSize total;
  for (std::size_t i = next_part_; i < parts_.size(); ++i) total += parts_[i].size;
  return total - next_offset_;
}

void SegmentAssembly::take_new(DataSize size) {
  assert(next_part_ < parts_.size() && next_offset_ + size <= parts_[next_part_].size);
  next_offset_ += size;
  if (next_offset_ == parts_[next_part_].size) {
    ++next_part_;
    next_offset_ = {};
  }
}

DataSize SegmentAssembly::given_back_bytes() const {
  DataSize total;
  for (const WantedRange& wanted : given_back_) total += wanted.range.size();
  return total;
}

void SegmentAssembly::give_back(const WantedRange& wanted) {
  for (const ByteRange& gap : parts_[wanted.part].received.gaps_in(wanted.range)) {
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
  if (next_part_ == part) {
    ++next_part_;
    next_offset_ = {};
  }
}

void SegmentAssembly::receive(std::uint32_t part, ByteRange range) {
  assert(range.end <= parts_[part].size);
  parts_[part].received.add(range);
}

DataSize SegmentAssembly::missing() const {
  DataSize total;
  for (const Part& part : parts_) total += part.size - part.received.size();
  return total;
}

}  // namespace tributary
