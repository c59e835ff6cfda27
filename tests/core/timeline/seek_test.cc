#include "core/timeline/seek.hh"

#include <gtest/gtest.h>

#include "core/session_state.hh"
#include "support/drained.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::drained;
using testing::kWifi;
using testing::segment;

/// Segments 0 to 2 are being received.
class SeekTest : public ::testing::Test {
 protected:
  SeekTest() {
    s.links.up(kWifi, "wifi", LinkUse::kUse, std::nullopt);
    for (int i = 0; i < 3; ++i) {
      s.book.add(s.book.begin(segment(i), QualityIndex{0}, s.timeline.table()));
      s.timeline.start_next();
    }
    s.now = TimePoint{1s};
  }
  void seek_to(int to, std::uint32_t cached = 0) {
    take_in(event::SeekRequested{segment(to), cached, std::nullopt}, s);
  }

  SessionState s{constant_table(10, {100_kB}), {}};
};

TEST_F(SeekTest, WhatIsBeingReceivedFromThereOnGoesOn) {
  seek_to(1);
  const auto dropped = drained<action::DropSegment>(s.actions);
  ASSERT_EQ(dropped.size(), 1U);
  EXPECT_EQ(dropped[0].segment, segment(0));
  EXPECT_EQ(s.book.segments().size(), 2U);
  EXPECT_EQ(s.timeline.next_segment(), segment(3));
}

TEST_F(SeekTest, ElsewhereAllBeginsAnew) {
  seek_to(7);
  EXPECT_EQ(drained<action::DropSegment>(s.actions).size(), 3U);
  EXPECT_EQ(s.timeline.next_segment(), segment(7));
}

TEST_F(SeekTest, CachedSegmentsAreBufferedAndNotAskedFor) {
  seek_to(4, 2);
  EXPECT_EQ(s.playout.buffer().buffered_segments(), 2U);
  EXPECT_EQ(s.timeline.next_segment(), segment(6));
}

TEST_F(SeekTest, RequestsOfDroppedSegmentsAreUnwanted) {
  SegmentAssembly& first = s.book.segments().front();
  first.take_new(100_kB);
  s.send(kWifi, first, {0, {0_B, 100_kB}, std::nullopt, 0}, "");
  seek_to(7);
  EXPECT_TRUE(s.book.find(RequestId{1})->abandoned);
  EXPECT_EQ(drained<action::AbandonRequests>(s.actions).size(), 1U);  // nothing is known of its rate
}

TEST_F(SeekTest, TheUserDoesNotWaitInVainUntilNow) {
  s.now = TimePoint{50s};
  seek_to(7);
  EXPECT_EQ(s.wait.since(), s.now);
}

}  // namespace
}  // namespace tributary
