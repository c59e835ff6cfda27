#include "proxy/pacing/pace.hh"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace tributary::proxy {

namespace {

using namespace std::chrono_literals;

constexpr DataSize kLargeEnough{20'000};
constexpr Duration kLeast = 100ms;
constexpr Duration kBetweenWrites = 20ms;
constexpr DataSize kMostOfAWrite{65'536};

}  // namespace

Pace::Pace(DataRate rate, std::optional<DataSize> size, TimePoint first_byte) : rate_{rate}, first_byte_{first_byte} {
  assert(rate > DataRate{});
  if (size && *size >= kLargeEnough) rate_ = std::min(rate_, (*size - DataSize{1}) / kLeast);
}

DataSize Pace::allowed(TimePoint now) const {
  return DataSize{1} + rate_ * std::max(now - first_byte_, Duration::zero());
}

/// Rounded up: at that moment they are allowed.
TimePoint Pace::due(DataSize bytes) const {
  if (bytes <= DataSize{1}) return first_byte_;
  return first_byte_ + (bytes - DataSize{1}) / rate_ + 1us;
}

DataSize Pace::worth_a_write() const { return std::clamp(rate_ * kBetweenWrites, DataSize{1}, kMostOfAWrite); }

}  // namespace tributary::proxy
