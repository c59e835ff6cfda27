#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tributary::bonding {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;  // borrowed until the call returns

/// Takes numbers (most significant byte first) and bytes from the front of a packet. What is missing makes it fail for
/// good, and reads as 0 or as nothing.
class ByteReader {
 public:
  explicit ByteReader(ByteSpan bytes) : rest_{bytes} {}

  std::uint64_t number(std::size_t width) {
    std::uint64_t value = 0;
    for (const std::byte byte : bytes(width)) value = value << 8 | std::to_integer<std::uint64_t>(byte);
    return value;
  }
  ByteSpan bytes(std::size_t count) {
    if (count > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const ByteSpan taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  ByteSpan rest() const { return rest_; }
  bool failed() const { return failed_; }
  /// Everything was there, and nothing is left.
  bool complete() const { return !failed_ && rest_.empty(); }

 private:
  ByteSpan rest_;
  bool failed_ = false;
};

/// Adds to the end of a packet what ByteReader reads.
class ByteWriter {
 public:
  explicit ByteWriter(Bytes& bytes) : bytes_{bytes} {}

  /// The number must fit.
  void number(std::uint64_t value, std::size_t width) {
    for (std::size_t left = width; left-- > 0;) bytes_.push_back(static_cast<std::byte>(value >> (8 * left)));
  }
  void bytes(ByteSpan bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }

 private:
  Bytes& bytes_;
};

}  // namespace tributary::bonding
