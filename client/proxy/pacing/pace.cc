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

DataRate slow_enough(DataRate rate, std::optional<DataSize> size) {
  assert(rate > DataRate{});
  return size && *size >= kLargeEnough ? std::min(rate, (*size - DataSize{1}) / kLeast) : rate;
}

}  // namespace

Pace::Pace(DataRate rate, std::optional<DataSize> size, TimePoint first_byte)
    : size_{size}, rate_{slow_enough(rate, size)}, since_{first_byte} {}

void Pace::change(DataRate rate, TimePoint now) {
  before_ = allowed(now) - DataSize{1};
  since_ = std::max(now, since_);
  rate_ = slow_enough(rate, size_);
}

DataSize Pace::allowed(TimePoint now) const {
  return DataSize{1} + before_ + rate_ * std::max(now - since_, Duration::zero());
}

/// Rounded up: at that moment they are allowed.
TimePoint Pace::due(DataSize bytes) const {
  const DataSize left = bytes - DataSize{1} - before_;
  if (left <= DataSize{}) return since_;
  return since_ + left / rate_ + 1us;
}

DataSize Pace::worth_a_write() const { return std::clamp(rate_ * kBetweenWrites, DataSize{1}, kMostOfAWrite); }

}  // namespace tributary::proxy
