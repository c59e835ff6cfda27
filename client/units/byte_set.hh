#pragma once

#include <vector>

#include "units/byte_range.hh"

namespace tributary {

/// A set of bytes of one resource, for sets that are few ranges.
class ByteSet {
 public:
  void add(ByteRange range);
  /// How many bytes are in it.
  DataSize size() const { return size_; }
  /// What of the range is not in it, in order.
  std::vector<ByteRange> gaps_in(ByteRange range) const;

 private:
  std::vector<ByteRange> ranges_;  // in order; they neither overlap nor touch
  DataSize size_;
};

}  // namespace tributary
