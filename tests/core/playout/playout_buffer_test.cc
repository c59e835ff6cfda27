#include "core/playout/playout_buffer.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint at(Duration since_start) { return TimePoint{since_start}; }

TEST(PlayoutBuffer, SegmentsPlayOneAfterTheOther) {
  PlayoutBuffer buffer;
  buffer.add(SegmentIndex{0}, 2s, at(1s));
  buffer.add(SegmentIndex{1}, 2s, at(3s));
  const Played first = buffer.start(at(3s));
  EXPECT_EQ(first.at, at(3s));
  EXPECT_FALSE(first.due);
  EXPECT_EQ(first.miss(), 0s);
  EXPECT_TRUE(buffer.advance(at(4999ms)).empty());
  const auto second = buffer.advance(at(5s));
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].at, at(5s));
  EXPECT_EQ(second[0].miss(), 0s);
}

TEST(PlayoutBuffer, ALateSegmentStallsPlayoutAndMovesEverythingAfterIt) {
  PlayoutBuffer buffer;
  buffer.add(SegmentIndex{0}, 2s, at(1s));
  buffer.start(at(1s));
  EXPECT_FALSE(buffer.stalled(at(2s)));
  EXPECT_TRUE(buffer.stalled(at(3s)));
  buffer.add(SegmentIndex{1}, 2s, at(3500ms));
  const auto late = buffer.advance(at(3500ms));
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].due, at(3s));
  EXPECT_EQ(late[0].miss(), 500ms);
  EXPECT_EQ(buffer.next_due(), at(5500ms));
}

TEST(PlayoutBuffer, TimesAreThoseAtWhichItShouldHappenNotThoseAtWhichSomebodyLooked) {
  PlayoutBuffer buffer;
  for (unsigned i = 0; i < 3; ++i) buffer.add(static_cast<SegmentIndex>(i), 2s, at(1s));
  buffer.start(at(1s));
  const auto played = buffer.advance(at(60s));
  ASSERT_EQ(played.size(), 2U);
  EXPECT_EQ(played[0].at, at(3s));
  EXPECT_EQ(played[1].at, at(5s));
}

TEST(PlayoutBuffer, KnowsWhatIsLeft) {
  PlayoutBuffer buffer;
  for (unsigned i = 0; i < 3; ++i) buffer.add(static_cast<SegmentIndex>(i), 2s, at(0s));
  EXPECT_EQ(buffer.time_left_playout(at(0s)), 0s);
  EXPECT_EQ(buffer.buffered(), 6s);
  buffer.start(at(0s));
  EXPECT_EQ(buffer.buffered_segments(), 2U);
  EXPECT_EQ(buffer.time_left_playout(at(500ms)), 1500ms);
  const auto rest = buffer.play_out();
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[1].at, at(4s));
}

TEST(PlayoutBuffer, AnotherSpeedMovesTheEndOfWhatPlays) {
  PlayoutBuffer buffer;
  buffer.add(SegmentIndex{0}, 2s, TimePoint{});
  buffer.add(SegmentIndex{1}, 2s, TimePoint{});
  buffer.start(TimePoint{});
  buffer.set_speed(2, TimePoint{1s});  // a second of it is left
  EXPECT_EQ(buffer.next_due(), TimePoint{1500ms});
  EXPECT_EQ(buffer.time_left_playout(TimePoint{1s}), 1s);
  buffer.advance(TimePoint{1500ms});
  EXPECT_EQ(buffer.next_due(), TimePoint{2500ms});
}

}  // namespace
}  // namespace tributary
