#include "worlds/discovery/live_replay.hh"

#include <gtest/gtest.h>

#include "support/session_driver.hh"
#include "support/simulated_run.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

void expect_next(LiveReplay& live, TimePoint at, int segment, Duration age) {
  EXPECT_EQ(live.next_at(), at);
  const event::SegmentPublished published = live.publish();
  EXPECT_EQ(published.segment, testing::segment(segment));
  EXPECT_EQ(published.age, age);
}

TEST(LiveReplay, ASegmentIsPublishedWhenTheOneBeforeHasLasted) {
  const SegmentTable table = testing::constant_table(2, {1_kB});
  LiveReplay live{table, 1};
  expect_next(live, TimePoint{}, 0, 0s);
  expect_next(live, TimePoint{2s}, 1, 0s);
  EXPECT_FALSE(live.next_at());
}

TEST(LiveReplay, SegmentsThatExistAtTheStartAreAsOldAsIfTheyHadBeenPublishedOneByOne) {
  const SegmentTable table = testing::constant_table(4, {1_kB});
  LiveReplay live{table, 3};
  expect_next(live, TimePoint{}, 0, 4s);
  expect_next(live, TimePoint{}, 1, 2s);
  expect_next(live, TimePoint{}, 2, 0s);
  expect_next(live, TimePoint{2s}, 3, 0s);
}

TEST(LiveReplay, MoreThanAllSegmentsDoNotExist) {
  const SegmentTable table = testing::constant_table(2, {1_kB});
  LiveReplay live{table, 9};
  expect_next(live, TimePoint{}, 0, 2s);
  expect_next(live, TimePoint{}, 1, 0s);
  EXPECT_FALSE(live.next_at());
}

SessionOptions live(std::uint32_t buffer, std::uint32_t startup) {
  SessionOptions options;
  options.mode = StreamingMode::kLiveBuffered;
  options.adaptation = "planned";
  options.start = StartRule::kFast;
  options.buffer_segments = buffer;
  options.startup_segments = startup;
  return options;
}

/// The thesis' ladder, 2 s each, over links that carry more than its highest quality.
TEST(LiveReplay, APlayoutThatBeginsEarlyIsAsFarBehindTheEdgeAndPlaysAsHighAsOneThatWaits) {
  const SegmentTable table = testing::constant_table(60, {186'500_B, 325_kB, 535'500_B, 752'500_B});
  for (const std::uint32_t buffer : {2U, 3U}) {
    const std::string links = "a 2.5Mbps 30ms; b 1.5Mbps 80ms";
    const testing::SimulatedRun waits{table, live(buffer, buffer), links}, begins{table, live(buffer, 1), links};
    EXPECT_LT(*begins.summary.startup, 1s);
    EXPECT_GT(*waits.summary.startup, 2s);
    EXPECT_LT(*begins.summary.lag_end, *waits.summary.lag_end + 1s);
    EXPECT_EQ(*begins.summary.lag_end,
              *begins.summary.startup + begins.summary.miss_total + (buffer - 1) * table.duration(SegmentIndex{0}));
    EXPECT_GT(begins.summary.mean_level, waits.summary.mean_level - 0.2);
    EXPECT_EQ(begins.summary.misses, 0U);
  }
}

}  // namespace
}  // namespace tributary
