#include "playback/segment_feed.hh"

#include <gtest/gtest.h>

#include <vector>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::segment;

struct FeedListener : StreamListener {
  void opened(const StreamInfo& /*info*/) override {}
  void segment(MediaSegment segment) override { segments.push_back(std::move(segment)); }
  void skipped(const SkippedSegment& /*skipped*/) override {}
  void may_play(std::uint32_t /*generation*/) override {}
  void ended(std::uint32_t /*generation*/) override {}
  void failed(const StreamFailure& /*failure*/) override {}

  std::vector<MediaSegment> segments;
};

std::vector<MediaPart> parts_of_segment(int number) {
  return {{.track = 0, .kind = TrackKind::kData, .bytes = MediaBytes(10), .segment = segment(number), .size = 10_B}};
}

TEST(SegmentFeed, ASegmentThatPlaysWhileItComesIsToldInPiecesAndKeptIfAllOfItCame) {
  const SegmentTable table = testing::constant_table(4, {100_kB});
  FeedListener listener;
  SegmentFeed feed{table, listener, 1_MB};
  feed.take(segment(0), parts_of_segment(0));
  feed.take_frames(segment(1), parts_of_segment(1), true);
  feed.take_frames(segment(1), parts_of_segment(1), false);
  ASSERT_EQ(listener.segments.size(), 3U);
  EXPECT_FALSE(listener.segments[1].goes_on);
  EXPECT_TRUE(listener.segments[2].goes_on);
  EXPECT_EQ(listener.segments[2].index, segment(1));
  EXPECT_EQ(feed.cached_from(segment(0), std::nullopt).size(), 1U) << "some of it may be lost";
  feed.came_whole(segment(1), parts_of_segment(1));
  EXPECT_EQ(listener.segments.size(), 3U);
  const auto kept = feed.cached_from(segment(0), std::nullopt);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_FALSE(kept[1].goes_on);
}

}  // namespace
}  // namespace tributary
