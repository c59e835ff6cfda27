#pragma once

#include <initializer_list>
#include <vector>

#include "units/byte_range.hh"

namespace tributary {

/// A set of bytes of one resource, for sets that are few ranges.
class ByteSet {
 public:
  ByteSet() = default;
  ByteSet(std::initializer_list<ByteRange> ranges) {
    for (const ByteRange& range : ranges) add(range);
  }
  void add(ByteRange range);
  /// The number of bytes.
  DataSize size() const { return size_; }
  /// The parts of the range that are missing, in order.
  std::vector<ByteRange> gaps_in(ByteRange range) const;
  /// In order; they neither overlap nor touch.
  const std::vector<ByteRange>& ranges() const { return ranges_; }

  bool operator==(const ByteSet&) const = default;

 private:
  bool extends_one(ByteRange range);

  std::vector<ByteRange> ranges_;
  DataSize size_;
};

}  // namespace tributary
