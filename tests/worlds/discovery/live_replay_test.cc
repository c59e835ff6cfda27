#include "worlds/discovery/live_replay.hh"

#include <gtest/gtest.h>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

TEST(LiveReplay, ASegmentIsPublishedWhenTheOneBeforeHasLasted) {
  const SegmentTable table = testing::constant_table(2, {DataSize{1000}});
  LiveReplay live{table};
  EXPECT_EQ(live.next_at(), TimePoint{});
  EXPECT_EQ(live.publish(), SegmentIndex{0});
  EXPECT_EQ(live.next_at(), TimePoint{2s});
  EXPECT_EQ(live.publish(), SegmentIndex{1});
  EXPECT_FALSE(live.next_at());
}

}  // namespace
}  // namespace tributary
