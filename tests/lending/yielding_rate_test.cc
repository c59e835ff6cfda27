// What is lent of an uplink in virtual time: a bottleneck with a queue, members that take all that they get, and owners that
// leave some of it, all of it, or nothing.
#include "lending/yielding_rate.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace tributary::lending {
namespace {

constexpr double kStep = 0.01;  // s

/// What an owner does. A rate in bits per second, or a TCP connection that takes what it can.
struct Owner {
  std::function<double(double time)> wanted = [](double) { return 0.0; };
  std::function<bool(double time)> greedy = [](double) { return false; };
};

struct Carried {
  double lent = 0, own = 0;        // of the capacity, in the second half
  std::vector<double> queue_ms{};  // in the second half
  double yields_after = 0;         // s from the owner's begin until it has .9 of the capacity
  double queue_at(double part) const {
    std::vector<double> sorted = queue_ms;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
  }
};

/// Bytes as a fluid: windows limit what is under way, the queue delays it.
class Uplink {
 public:
  Uplink(double capacity, double round_trip, Owner owner)
      : capacity_{capacity}, round_trip_{round_trip}, owner_{std::move(owner)} {}

  /// For so long.
  Carried run(double seconds) {
    carried_ = {};
    for (int step = 0; step * kStep < seconds; ++step, time_ += kStep) {
      advance(step * kStep >= seconds / 2);
      if (step % 10 == 9) tick();
    }
    carried_.lent /= capacity_ * seconds / 2;
    carried_.own /= capacity_ * seconds / 2;
    return carried_;
  }
  void carries(double capacity) { capacity_ = capacity; }

 private:
  static constexpr double kHeaders = 1.06, kMostQueue = 0.2;  // s

  void advance(bool counts) {
    const double delay = round_trip_ + queue_ / capacity_;
    const double allowed = yielding_.rate().bits_per_second();
    const double window = std::max(48e3, allowed * (round_trip_ + 0.01));  // bits, as two tunnels have it
    const double lent = allowed > 0 ? std::min(allowed, window / delay) * kHeaders : 0;
    const double own = own_rate(delay);
    const double arrives = lent + own;
    const double served = std::min(capacity_, arrives + queue_ / kStep);
    queue_ = std::max(0.0, queue_ + (arrives - served) * kStep);
    if (arrives <= 0) return;
    const double lent_served = served * lent / arrives / kHeaders, own_served = served * own / arrives;
    lent_ += lent_served * kStep;
    all_ += served * kStep;
    if (!counts) return;
    carried_.lent += lent_served * kStep;
    carried_.own += own_served * kStep;
    carried_.queue_ms.push_back(queue_ / capacity_ * 1e3);
  }

  double own_rate(double delay) {
    if (!owner_.greedy(time_)) {
      window_ = 120e3;
      return owner_.wanted(time_);
    }
    const bool full = queue_ / capacity_ > kMostQueue, slow_start = window_ < capacity_ * round_trip_;
    const double more = slow_start ? window_ : std::min(window_, 36e3);
    window_ = full ? window_ * 0.7 : window_ + more * kStep / delay;
    queue_ = std::min(queue_, kMostQueue * capacity_);
    return window_ / delay;
  }

  void tick() {
    const auto bytes = [](double bits) { return DataSize{static_cast<std::int64_t>(bits / 8)}; };
    yielding_.tick({YieldingRate::kTick, bytes(all_), bytes(lent_), true});
    all_ = lent_ = 0;
  }

  double capacity_, round_trip_;
  Owner owner_;
  YieldingRate yielding_{std::nullopt};
  double time_ = 0, queue_ = 0, window_ = 120e3;  // s, bits
  double all_ = 0, lent_ = 0;                     // bits since the last tick
  Carried carried_;
};

struct Case {
  double capacity, round_trip;
};
class YieldingRateTest : public ::testing::TestWithParam<Case> {
 protected:
  /// What each of two tunnels has under way at least.
  double two_segments_ms() const { return 24e3 / GetParam().capacity * 1e3; }
  Carried carried(Owner owner) const {
    return Uplink{GetParam().capacity, GetParam().round_trip, std::move(owner)}.run(80);
  }
};

TEST_P(YieldingRateTest, AllIsLentIfTheOwnerIsAway) {
  const Carried result = carried({});
  EXPECT_GT(result.lent, 0.86);
  EXPECT_LT(result.queue_at(0.5), 20 + two_segments_ms());
}

TEST_P(YieldingRateTest, WhatTheOwnerLeavesIsLent) {
  const Carried result = carried({.wanted = [](double) { return 0.5 * GetParam().capacity; }});
  EXPECT_GT(result.own, 0.495);
  EXPECT_GT(result.lent, 0.42);
  EXPECT_LT(result.queue_at(0.5), 20 + two_segments_ms());
}

TEST_P(YieldingRateTest, AnOwnerWhoTakesAllHasAll) {
  const Carried result = carried({.greedy = [](double) { return true; }});
  EXPECT_GT(result.own, 0.95);
}

TEST_P(YieldingRateTest, AnOwnerWhoComesAndGoesLeavesWhatIsBetween) {
  const Carried result = carried({.greedy = [](double time) { return std::fmod(time, 8) < 3; }});
  EXPECT_GT(result.own, 0.27) << "of .375";
  EXPECT_GT(result.lent, 0.45) << "of .625";
}

TEST_P(YieldingRateTest, AnUplinkThatBecomesFasterIsFoundOut) {
  Uplink uplink{
      GetParam().capacity, GetParam().round_trip, {.wanted = [](double) { return 0.5 * GetParam().capacity; }}};
  uplink.run(20);
  uplink.carries(2 * GetParam().capacity);
  uplink.run(60);
  const Carried result = uplink.run(40);
  EXPECT_GT(result.lent, 0.64) << "of .75";
  EXPECT_GT(result.own, 0.245);
}

TEST_P(YieldingRateTest, AnUplinkThatBecomesSlowerIsTheOwnersFirst) {
  Uplink uplink{
      GetParam().capacity, GetParam().round_trip, {.wanted = [](double) { return 0.3 * GetParam().capacity; }}};
  uplink.run(20);
  uplink.carries(GetParam().capacity / 2);
  uplink.run(3);
  const Carried result = uplink.run(40);
  EXPECT_GT(result.own, 0.59);
  EXPECT_GT(result.lent, 0.28) << "of .4";
}

INSTANTIATE_TEST_SUITE_P(Uplinks, YieldingRateTest,
                         ::testing::Values(Case{2e6, 0.02}, Case{2e6, 0.1}, Case{20e6, 0.02}, Case{20e6, 0.1},
                                           Case{100e6, 0.02}, Case{100e6, 0.1}));

TEST(YieldingRate, NeverMoreThanTheLenderSays) {
  YieldingRate rate{DataRate::bits_per_second(3e6)};
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LE(rate.rate().bits_per_second(), 3e6);
    const auto came = DataSize{static_cast<std::int64_t>(rate.rate().bits_per_second() / 80)};
    rate.tick({YieldingRate::kTick, came + came, came, true});
  }
}

TEST(YieldingRate, TheOwnerNeedsItAll) {
  YieldingRate rate{std::nullopt};
  for (int i = 0; i < 100; ++i) rate.tick({YieldingRate::kTick, DataSize{26'500}, DataSize{25'000}, true});
  EXPECT_FALSE(rate.is_taken());
  for (int i = 0; i < 30; ++i) rate.tick({YieldingRate::kTick, DataSize{26'500}, DataSize{0}, true});
  EXPECT_TRUE(rate.is_taken());
}

TEST(YieldingRate, AnOwnerWhoGoesLeavesAllThoughNobodyWasThereToSeeIt) {
  const auto bytes = [](double part) { return DataSize{static_cast<std::int64_t>(part * 26'500)}; };
  for (int moment = 0; moment < 40; ++moment) {
    YieldingRate rate{std::nullopt};
    const auto own_takes = [&](double part, bool wanted) {
      const double lent = wanted ? std::min(1 - part, rate.rate().bits_per_second() / 8 / 10 / 26'500) : 0;
      rate.tick({YieldingRate::kTick, bytes(part + lent), bytes(lent / 1.06), wanted});
    };
    for (int i = 0; i < 100; ++i) own_takes(0.3, true);
    for (int i = 0; i < 60 + moment; ++i) own_takes(0.99, true);
    for (int i = 0; i < 100; ++i) own_takes(0.99, false);
    for (int i = 0; i < 600; ++i) own_takes(0, false);
    EXPECT_FALSE(rate.is_taken()) << moment;
  }
}

}  // namespace
}  // namespace tributary::lending
