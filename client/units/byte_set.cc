#include "units/byte_set.hh"

#include <algorithm>
#include <iterator>

namespace tributary {

void ByteSet::add(ByteRange range) {
  if (range.empty()) return;
  if (extends_one(range)) return;
  const auto first = std::ranges::find_if(ranges_, [&](ByteRange r) { return range.begin <= r.end; });
  const auto last = std::find_if(first, ranges_.end(), [&](ByteRange r) { return range.end < r.begin; });
  if (first == last) {
    ranges_.insert(first, range);
    size_ += range.size();
    return;
  }
  // All from first to last overlap or touch it.
  const ByteRange joined{std::min(first->begin, range.begin), std::max(std::prev(last)->end, range.end)};
  size_ += joined.size();
  for (auto it = first; it != last; ++it) size_ -= it->size();
  *first = joined;
  ranges_.erase(std::next(first), last);
}

/// The usual case: the range follows one that is there, and reaches no other.
bool ByteSet::extends_one(ByteRange range) {
  for (std::size_t i = ranges_.size(); i-- > 0;) {
    if (ranges_[i].end != range.begin) continue;
    if (i + 1 < ranges_.size() && ranges_[i + 1].begin <= range.end) return false;
    ranges_[i].end = range.end;
    size_ += range.size();
    return true;
  }
  return false;
}

std::vector<ByteRange> ByteSet::gaps_in(ByteRange range) const {
  std::vector<ByteRange> gaps;
  DataSize begin = range.begin;
  for (const ByteRange& present : ranges_) {
    const ByteRange gap{begin, std::min(present.begin, range.end)};
    if (!gap.empty()) gaps.push_back(gap);
    begin = std::max(begin, present.end);
  }
  const ByteRange rest{begin, range.end};
  if (!rest.empty()) gaps.push_back(rest);
  return gaps;
}

}  // namespace tributary
