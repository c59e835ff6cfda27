#include "core/qualities/throughput_history.hh"

#include <gtest/gtest.h>

#include <cmath>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

/// Two stretches of transfer, the later one last, as an average with this half life (in seconds) sees them.
double average(double first_s, double first_rate, double second_s, double second_rate, double half_life) {
  const double second_weight = 1 - std::pow(0.5, second_s / half_life);
  const double first_weight = std::pow(0.5, second_s / half_life) * (1 - std::pow(0.5, first_s / half_life));
  return (first_weight * first_rate + second_weight * second_rate) / (first_weight + second_weight);
}

TEST(ThroughputHistory, KnowsNothingBeforeTheFirstSegment) {
  const ThroughputHistory history;
  EXPECT_FALSE(history.throughput());
  EXPECT_EQ(history.sustainable(SegmentIndex{0}, doubling_table(), 1), kLow);
}

TEST(ThroughputHistory, TheFirstMeasurementIsBelievedWhole) {
  ThroughputHistory history;
  history.add(carried(1000_kbps, 200ms));
  EXPECT_NEAR(history.throughput()->kilobits_per_second(), 1000, 1e-6);
}

TEST(ThroughputHistory, ADropIsBelievedWithTheShortHalfLifeAndARiseWithTheLongOne) {
  ThroughputHistory drop;
  drop.add(carried(2000_kbps, 16s));
  drop.add(carried(500_kbps, 3s));
  EXPECT_NEAR(drop.throughput()->kilobits_per_second(), average(16, 2000, 3, 500, 3), 1e-6);
  ThroughputHistory rise;
  rise.add(carried(500_kbps, 16s));
  rise.add(carried(2000_kbps, 3s));
  EXPECT_NEAR(rise.throughput()->kilobits_per_second(), average(16, 500, 3, 2000, 8), 1e-6);
}

TEST(ThroughputHistory, WhatIsSustainedComesWithinItsOwnDurationLatencyIncluded) {
  ThroughputHistory history;
  history.add(carried(1600_kbps, 1s));
  EXPECT_EQ(history.sustainable(SegmentIndex{0}, doubling_table(), 1.001), kHigh);
  EXPECT_EQ(history.sustainable(SegmentIndex{0}, doubling_table(), 0.999), kMedium);
  // 2 s of 1600 kbit/s at 1680 kbit/s: 1.905 s. With 0.1 s before it that is more than 2 s.
  ThroughputHistory waiting;
  waiting.add({210_kB, 1s, 100ms});
  EXPECT_EQ(waiting.sustainable(SegmentIndex{0}, doubling_table(), 1), kMedium);
}

}  // namespace
}  // namespace tributary
