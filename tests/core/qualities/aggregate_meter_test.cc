#include "core/qualities/aggregate_meter.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(AggregateMeter, CountsEverythingThatArrivesBetweenTwoCompletions) {
  AggregateMeter meter;
  meter.restart(TimePoint{1s});
  meter.received(100_kB);  // of this segment, on one link
  meter.received(50_kB);   // of the next one, on the other
  const auto first = meter.segment_complete(TimePoint{2s});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->size, 150_kB);
  EXPECT_EQ(first->duration, 1s);
  meter.received(30_kB);
  const auto second = meter.segment_complete(TimePoint{2500ms});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->size, 30_kB);
  EXPECT_EQ(second->duration, 500ms);
}

TEST(AggregateMeter, ATimeInWhichNothingWasWantedDoesNotCount) {
  AggregateMeter meter;
  meter.received(100_kB);
  meter.segment_complete(TimePoint{1s});
  meter.restart(TimePoint{5s});
  meter.received(100_kB);
  EXPECT_EQ(meter.segment_complete(TimePoint{6s})->duration, 1s);
}

TEST(AggregateMeter, SegmentsThatAreCompleteAtTheSameMomentAreOneMeasurement) {
  AggregateMeter meter;
  meter.received(100_kB);
  EXPECT_EQ(meter.segment_complete(TimePoint{1s})->size, 100_kB);
  EXPECT_FALSE(meter.segment_complete(TimePoint{1s}));
}

}  // namespace
}  // namespace tributary
