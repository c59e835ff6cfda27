#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "units/whole_number.hh"

namespace tributary {

/// A number of bytes. Signed, so that a difference may be negative; 1 kB is 1000 bytes, as in the thesis.
class DataSize {
 public:
  constexpr DataSize() = default;
  constexpr explicit DataSize(std::int64_t bytes) : bytes_{bytes} {}

  constexpr std::int64_t bytes() const { return bytes_; }
  constexpr double kilobytes() const { return static_cast<double>(bytes_) / 1e3; }

  constexpr auto operator<=>(const DataSize&) const = default;
  constexpr DataSize& operator+=(DataSize other) {
    bytes_ += other.bytes_;
    return *this;
  }
  constexpr DataSize& operator-=(DataSize other) {
    bytes_ -= other.bytes_;
    return *this;
  }

 private:
  std::int64_t bytes_ = 0;
};

constexpr DataSize operator+(DataSize a, DataSize b) { return DataSize{a.bytes() + b.bytes()}; }
constexpr DataSize operator-(DataSize a, DataSize b) { return DataSize{a.bytes() - b.bytes()}; }
constexpr DataSize operator*(std::int64_t n, DataSize a) { return DataSize{n * a.bytes()}; }
constexpr DataSize operator*(DataSize a, std::int64_t n) { return n * a; }
constexpr double operator/(DataSize a, DataSize b) {
  return static_cast<double>(a.bytes()) / static_cast<double>(b.bytes());
}

/// Rounds towards zero to whole bytes.
constexpr DataSize scale(DataSize a, double factor) {
  return DataSize{whole_number(static_cast<double>(a.bytes()) * factor)};
}

namespace literals {
constexpr DataSize operator""_B(unsigned long long n) { return DataSize{static_cast<std::int64_t>(n)}; }
constexpr DataSize operator""_kB(unsigned long long n) { return DataSize{static_cast<std::int64_t>(n * 1000)}; }
constexpr DataSize operator""_MB(unsigned long long n) { return DataSize{static_cast<std::int64_t>(n * 1000000)}; }
}  // namespace literals

constexpr DataSize size_of(std::span<const std::byte> bytes) { return DataSize{std::ssize(bytes)}; }

}  // namespace tributary
