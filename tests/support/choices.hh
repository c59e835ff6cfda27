#pragma once

#include <cstddef>
#include <cstdint>

namespace tributary::testing {

/// Decisions taken from an input, byte by byte. Once the input is used up, all are 0.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_{data}, size_{size} {}

  bool left() const { return at_ < size_; }
  std::uint8_t byte() { return left() ? data_[at_++] : 0; }
  std::uint32_t below(std::uint32_t count) {
    std::uint32_t value = byte();
    if (count > 256) value = value << 8 | byte();
    if (count > 65'536) value = value << 8 | byte();
    return value % count;
  }
  bool one_in(std::uint32_t count) { return below(count) == count - 1; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace tributary::testing
