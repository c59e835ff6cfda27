#include "worlds/discovery/index_growth.hh"

#include <gtest/gtest.h>

#include "support/tables.hh"
#include "trace/trace_text.hh"

namespace tributary {
namespace {

/// An index that lists the segments of these numbers: 1000 bytes and their number each.
Presentation listing(std::uint64_t first, std::uint64_t last, bool complete = false) {
  std::vector<DataSize> sizes;
  for (std::uint64_t number = first; number <= last; ++number)
    sizes.push_back(DataSize{1000 + static_cast<std::int64_t>(number)});
  Presentation presentation = testing::presentation_of({{"low", sizes}, {"high", sizes}});
  presentation.live = LiveWindow{};
  presentation.complete = complete;
  for (Track& track : presentation.tracks) {
    track.first_number = first;
    track.start = 2000 * (first - 1);
  }
  return presentation;
}

std::string texts(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += to_text(event) + "\n";
  return text;
}

TEST(IndexGrowth, TellsWhatIsThereAndThenWhatIsAdded) {
  IndexGrowth growth{listing(11, 12)};
  EXPECT_EQ(texts(growth.beginning()), "segment-published segment=0\nsegment-published segment=1\n");
  EXPECT_EQ(growth.end(), std::chrono::seconds{24});
  EXPECT_TRUE(growth.news(listing(8, 12)).empty());
  EXPECT_EQ(texts(growth.news(listing(9, 13))),
            "segment-added segment=2 tracks=1013:2000,1013:2000\nsegment-published segment=2\n");
  EXPECT_EQ(texts(growth.news(listing(12, 14, true))),
            "segment-added segment=3 tracks=1014:2000,1014:2000\nsegment-published segment=3\n"
            "window-moved first=1\npresentation-ended\n");
  EXPECT_TRUE(growth.ended());
  EXPECT_EQ(growth.end(), std::chrono::seconds{28});
}

TEST(IndexGrowth, AnOlderIndexTellsNothing) {
  IndexGrowth growth{listing(5, 9)};
  EXPECT_TRUE(growth.news(listing(4, 8)).empty());
  EXPECT_EQ(growth.end(), std::chrono::seconds{18});
}

/// Each would be kept: what a server writes into one number must not fill the memory.
TEST(IndexGrowth, AnIndexFarAheadIsRefused) {
  IndexGrowth growth{listing(1, 2)};
  EXPECT_THROW(growth.news(listing(1'000'000'000, 1'000'000'001)), std::runtime_error);
  EXPECT_THROW(growth.news(listing(100'003, 100'003)), std::runtime_error);
  EXPECT_THROW(growth.news(listing(1, 100'003)), std::runtime_error);
  EXPECT_FALSE(growth.news(listing(100'002, 100'002)).empty());
}

TEST(IndexGrowth, SegmentsThatNobodySawLeaveTheWindowAtOnce) {
  IndexGrowth growth{listing(1, 2)};
  EXPECT_EQ(texts(growth.news(listing(5, 5))),
            "segment-added segment=2 tracks=0:2000,0:2000\nsegment-published segment=2\n"
            "segment-added segment=3 tracks=0:2000,0:2000\nsegment-published segment=3\n"
            "segment-added segment=4 tracks=1005:2000,1005:2000\nsegment-published segment=4\n"
            "window-moved first=4\n");
}

TEST(IndexGrowth, AnotherPresentationIsRefused) {
  IndexGrowth growth{listing(1, 2)};
  Presentation other = listing(3, 3);
  other.tracks[1].id = "super";
  EXPECT_THROW(growth.news(other), std::runtime_error);
}

}  // namespace
}  // namespace tributary
