#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Bits per second. 1 Mbps is 10^6 bit/s.
class DataRate {
 public:
  constexpr DataRate() = default;
  static constexpr DataRate bits_per_second(double v) { return DataRate{v}; }

  constexpr double bits_per_second() const { return bits_per_second_; }
  constexpr double kilobits_per_second() const { return bits_per_second_ / 1e3; }
  /// To the nearest.
  std::int64_t whole_bits_per_second() const { return std::llround(bits_per_second_); }

  constexpr auto operator<=>(const DataRate&) const = default;
  constexpr DataRate& operator+=(DataRate other) {
    bits_per_second_ += other.bits_per_second_;
    return *this;
  }

 private:
  constexpr explicit DataRate(double v) : bits_per_second_{v} {}
  double bits_per_second_ = 0;
};

constexpr DataRate operator+(DataRate a, DataRate b) {
  return DataRate::bits_per_second(a.bits_per_second() + b.bits_per_second());
}
constexpr DataRate operator-(DataRate a, DataRate b) {
  return DataRate::bits_per_second(a.bits_per_second() - b.bits_per_second());
}
constexpr DataRate operator*(double f, DataRate a) { return DataRate::bits_per_second(f * a.bits_per_second()); }
constexpr DataRate operator/(DataRate a, double f) { return DataRate::bits_per_second(a.bits_per_second() / f); }
constexpr double operator/(DataRate a, DataRate b) { return a.bits_per_second() / b.bits_per_second(); }

/// How long the size takes at the rate. The rate must be positive.
constexpr Duration operator/(DataSize size, DataRate rate) {
  return from_seconds(static_cast<double>(size.bytes()) * 8 / rate.bits_per_second());
}
/// The average rate. The duration must be positive.
constexpr DataRate operator/(DataSize size, Duration duration) {
  return DataRate::bits_per_second(static_cast<double>(size.bytes()) * 8 / to_seconds(duration));
}
constexpr DataSize operator*(DataRate rate, Duration duration) {
  return DataSize{whole_number(rate.bits_per_second() * to_seconds(duration) / 8)};
}

namespace literals {
constexpr DataRate operator""_kbps(unsigned long long n) {
  return DataRate::bits_per_second(1e3 * static_cast<double>(n));
}
constexpr DataRate operator""_Mbps(unsigned long long n) {
  return DataRate::bits_per_second(1e6 * static_cast<double>(n));
}
constexpr DataRate operator""_Mbps(long double n) { return DataRate::bits_per_second(1e6 * static_cast<double>(n)); }
}  // namespace literals

static_assert(DataSize{1000000} / DataRate::bits_per_second(8e6) == std::chrono::seconds{1});

}  // namespace tributary
