#include "core/timeline/live_start.hh"

#include <gtest/gtest.h>

#include "presentation/segments/partial_segments.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

/// Segments of two seconds, of which the last has come as far as `last`, in parts of half a second.
SegmentIndex start(Duration last, Duration latency) {
  Presentation cut = in_partial_segments(testing::constant_table(6, {100_kB}).presentation(), 500ms);
  Track& track = cut.tracks[0];
  const std::size_t count = 20 + static_cast<std::size_t>(last / 500ms);
  track.durations.resize(count);
  track.sizes.resize(count);
  track.places.resize(count);
  track.continues.resize(count);
  return live_start(SegmentTable{cut}, latency);
}

TEST(LiveStart, IsTheSwitchPointNearestToTheTarget) {
  EXPECT_EQ(start(2s, 2500ms), SegmentIndex{20}) << "2 s behind, not 4";
  EXPECT_EQ(start(1s, 2500ms), SegmentIndex{16}) << "3 s behind, not 1";
  EXPECT_EQ(start(500ms, 2500ms), SegmentIndex{16});
  EXPECT_EQ(start(2s, 9s), SegmentIndex{8}) << "8 s behind";
}

TEST(LiveStart, LeavesSomethingToPlay) {
  EXPECT_EQ(start(500ms, 1500ms), SegmentIndex{16}) << "2.5 s behind, though .5 s is as near";
  EXPECT_EQ(start(1s, 1s), SegmentIndex{20});
}

TEST(LiveStart, OfAShortTitleIsItsBeginning) {
  EXPECT_EQ(live_start(testing::constant_table(2, {100_kB}), 60s), SegmentIndex{0});
}

}  // namespace
}  // namespace tributary
