#include "worlds/discovery/growing_manifest.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "manifests/manifest.hh"
#include "trace/trace_text.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr const char* kListUrl = "https://live.example/list.m3u8";
constexpr UtcTime kOpened{std::chrono::milliseconds{1'700'000'000'000}};

std::string list(int first, int last) {
  std::string text = fmt::format("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:{}\n", first);
  for (int i = first; i <= last; ++i) text += fmt::format("#EXTINF:2,\n{}.ts\n", i);
  return text;
}

/// A playlist of four segments, of which the session has the last two.
class GrowingPlaylist : public ::testing::Test {
 protected:
  GrowingPlaylist()
      : opened_{open_manifest(list(7, 10), kListUrl, FetchFiles{}, {.now = kOpened, .sent = kOpened})},
        growing_{*opened_.live, opened_.presentation.last_segments(2), kListUrl, kOpened.time_since_epoch()} {
    read(growing_.by_clock(TimePoint{}));
  }

  static std::string read(const std::vector<Event>& events) {
    std::string text;
    for (const Event& event : events) text += to_text(event) + "\n";
    return text;
  }
  std::string news(Duration at, const std::string& text) {
    growing_.due(TimePoint{at});
    const FetchedFile document{.url = kListUrl, .bytes = text};
    return read(growing_.take({&document, 1}, TimePoint{at}, TimePoint{at}));
  }

  Opened opened_;
  GrowingManifest growing_;
};

TEST_F(GrowingPlaylist, BeginsWithWhatTheSessionHas) {
  EXPECT_EQ(read(growing_.beginning()), "segment-published segment=0\nsegment-published segment=1\n");
}

TEST_F(GrowingPlaylist, IsFetchedAgainInTimesOfTheSession) {
  EXPECT_GE(*growing_.next_due(), TimePoint{2s});
  EXPECT_LE(*growing_.next_due(), TimePoint{2010ms});
}

TEST_F(GrowingPlaylist, AddsSegmentsAndMovesTheWindow) {
  EXPECT_EQ(news(2100ms, list(9, 11)),
            "segment-added segment=2 tracks=0@~250000:180000\nsegment-published segment=2\n");
  EXPECT_EQ(news(4200ms, list(10, 11)), "window-moved first=1\n");
  EXPECT_FALSE(growing_.ended());
  EXPECT_EQ(news(6300ms, list(10, 11) + "#EXT-X-ENDLIST\n"), "presentation-ended\n");
  EXPECT_TRUE(growing_.ended());
}

TEST_F(GrowingPlaylist, ALostSegmentHasLeftTheWindowBeforeItIsTold) {
  EXPECT_EQ(news(20s, list(14, 14)),
            "segment-added segment=2 tracks=0@0:540000\nwindow-moved first=3\nsegment-published segment=2\n"
            "segment-added segment=3 tracks=0@~250000:180000\nsegment-published segment=3\n");
}

TEST_F(GrowingPlaylist, AListThatIsBeingWrittenIsNoReasonToStop) {
  EXPECT_THROW(news(2100ms, "#EXTM3U\n"), DocumentUnclear);
}

TEST_F(GrowingPlaylist, OneThatCannotBeDecryptedIs) {
  try {
    news(2100ms, list(9, 10) + "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:2,\nx.ts\n");
    FAIL();
  } catch (const DocumentUnclear&) {
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("SAMPLE-AES"), std::string::npos) << error.what();
  }
}

TEST_F(GrowingPlaylist, ADiscontinuityIsToldWithItsSegment) {
  EXPECT_EQ(news(2100ms, list(9, 10) + "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:2,\nx.ts\n"),
            "segment-added segment=2 tracks=0@~250000:180000!~2000\nsegment-published segment=2\n");
}

}  // namespace
}  // namespace tributary
