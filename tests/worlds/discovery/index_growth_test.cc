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

/// The same in parts of 500 ms, of which the last ones are of a segment that is being made. Each of the tracks has parts of as
/// many bytes as their places say: 101 for the first one of segment 1. Only the last two segments list theirs.
Presentation in_parts(std::uint64_t first, std::uint64_t last, std::size_t open_parts, std::uint64_t parts_from) {
  Presentation index = listing(first, last);
  index.nominal_segment_seconds = 2;
  for (Track& track : index.tracks) {
    track.kind = TrackKind::kVideo;
    TrackParts& parts = track.parts.emplace(TrackParts{.uri = track.id + "/{n}.{p}.bin", .target = 500});
    for (std::uint64_t number = first; number <= last + (open_parts > 0 ? 1 : 0); ++number) {
      SegmentParts of{number, {}};
      DataSize size;
      for (std::size_t part = 0; part < (number > last ? open_parts : 4); ++part) {
        const auto bytes = static_cast<std::int64_t>(100 * number + part + 1);
        of.parts.push_back({500, DataSize{bytes}, part == 0});
        size += of.parts.back().size;
      }
      if (number <= last) track.sizes[number - first] = size;
      if (number >= parts_from) parts.segments.push_back(of);
    }
  }
  return index;
}

TEST(IndexGrowth, PartsAreSegmentsOfTheSession) {
  const Presentation first = in_listed_parts(in_parts(1, 3, 2, 3));
  ASSERT_TRUE(first.in_parts);
  EXPECT_EQ(first.suggested_delay, Duration{std::chrono::seconds{3}});
  const Track& low = first.tracks[0];
  ASSERT_EQ(low.sizes.size(), 8U);  // 1 and 2 are whole; four parts of 3, and two of 4
  EXPECT_EQ(low.segment(SegmentIndex{1}).uri, "low/00002.bin");
  EXPECT_EQ(low.segment(SegmentIndex{3}).uri, "low/3.1.bin");
  EXPECT_EQ(low.continues, (std::vector<bool>{false, false, false, true, true, true, false, true}));

  IndexGrowth growth{first.last_segments(6)};
  EXPECT_EQ(growth.beginning().size(), 6U);
  EXPECT_TRUE(growth.news(in_parts(1, 3, 2, 3)).empty());
  EXPECT_TRUE(growth.news(in_parts(1, 3, 1, 3)).empty()) << "an older one";
  EXPECT_TRUE(growth.news(in_parts(1, 2, 4, 3)).empty()) << "an older one";
  const std::vector<Event> third = growth.news(in_parts(2, 3, 3, 3));
  ASSERT_EQ(third.size(), 2U);
  const auto* const added = std::get_if<event::SegmentAdded>(third.data());
  ASSERT_NE(added, nullptr);
  EXPECT_EQ(added->tracks[1].place.uri, "high/4.2.bin");
  EXPECT_TRUE(added->tracks[1].continues);
  EXPECT_EQ(texts(growth.news(in_parts(4, 4, 1, 4))),
            "segment-added segment=7 tracks=+404:500,+404:500\nsegment-published segment=7\n"
            "segment-added segment=8 tracks=501:500,501:500\nsegment-published segment=8\n"
            "window-moved first=4\n")
      << "which leaves the parts of 3";
  EXPECT_EQ(growth.end(), Duration{std::chrono::milliseconds{8500}});
}

TEST(IndexGrowth, TheRestOfAFileStandsForPartsThatNobodySaw) {
  IndexGrowth growth{in_listed_parts(in_parts(1, 3, 1, 3))};
  const std::vector<Event> news = growth.news(in_parts(1, 6, 1, 6));
  const auto* const rest = std::get_if<event::SegmentAdded>(news.data());
  ASSERT_NE(rest, nullptr);
  EXPECT_EQ(rest->tracks[0].place, (SegmentPlace{"low/00004.bin", DataSize{401}, {}}));
  EXPECT_EQ(rest->tracks[0].size, DataSize{402 + 403 + 404});
  EXPECT_EQ(rest->tracks[0].ticks, 1500U);
  EXPECT_TRUE(rest->tracks[0].continues);
  const auto* const whole = std::get_if<event::SegmentAdded>(&news.at(2));
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->tracks[0].place.uri, "low/00005.bin");
  EXPECT_FALSE(whole->tracks[0].continues);
  EXPECT_EQ(news.size(), 2U * (2 + 4 + 1)) << "a rest, a segment, four parts and one";
}

TEST(IndexGrowth, PartsOfSegmentsThatHaveLeftAreLost) {
  IndexGrowth growth{in_listed_parts(in_parts(1, 3, 3, 3))};
  EXPECT_EQ(texts(growth.news(in_parts(6, 6, 0, 7))),
            "segment-added segment=9 tracks=0:1250,0:1250\nsegment-published segment=9\n"
            "segment-added segment=10 tracks=0:1250,0:1250\nsegment-published segment=10\n"
            "segment-added segment=11 tracks=2410:2000,2410:2000\nsegment-published segment=11\n"
            "window-moved first=11\n");
}

TEST(IndexGrowth, AFileThatIsSmallerThanItsPartsIsLost) {
  IndexGrowth growth{in_listed_parts(in_parts(1, 3, 3, 3))};
  Presentation index = in_parts(1, 4, 0, 5);
  index.tracks[1].sizes.back() = DataSize{7};
  EXPECT_EQ(texts(growth.news(index)), "segment-added segment=9 tracks=0:500,0:500\nsegment-published segment=9\n");
}

TEST(IndexGrowth, AnotherPresentationIsRefused) {
  IndexGrowth growth{listing(1, 2)};
  Presentation other = listing(3, 3);
  other.tracks[1].id = "super";
  EXPECT_THROW(growth.news(other), std::runtime_error);
}

}  // namespace
}  // namespace tributary
