#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../manifest_files_of.hh"
#include "live_hls_title.hh"

/// What is asked of origins that leave out what is known, and of those that tell of other playlists.
namespace tributary::live_hls_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ManifestFiles;

const std::string kLow = "https://live.example/a/low/list.m3u8", kHigh = "https://live.example/a/high/list.m3u8",
                  kSound = "https://live.example/a/sound/list.m3u8";

struct Listed {
  int first = 7, end = 20;  // numbers of segments
  int skipped = 0;
  std::string files = "s";  // how their names begin
  std::string more{};       // lines
  std::string control{};    // attributes
};

/// Segments of 2 s.
std::string list_of(const Listed& listed) {
  std::string text = fmt::format(
      "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12{}\n#EXT-X-MEDIA-SEQUENCE:{}\n",
      listed.control, listed.first);
  if (listed.skipped > 0) text += fmt::format("#EXT-X-SKIP:SKIPPED-SEGMENTS={}\n", listed.skipped);
  if (listed.skipped == 0) text += "#EXT-X-MAP:URI=\"i.mp4\"\n";
  for (int number = listed.first + listed.skipped; number < listed.end; ++number)
    text += fmt::format("#EXTINF:2,\n{}{}.mp4\n", listed.files, number);
  return text + listed.more;
}

/// A title of which all playlists are the same but for their names.
class Title {
 public:
  explicit Title(const std::string& list, bool by_parts = false) {
    ManifestFiles files{{{kLow, list}, {kHigh, list}, {kSound, list}}};
    live_ = open_manifest(kMaster, kUrl, files.fetch(), {.now = kStart, .sent = kStart, .by_parts = by_parts});
  }

  LiveManifest& manifest() { return live_.live->manifest(); }
  std::vector<std::string> asked(Duration since_start) { return due(live_, since_start); }
  /// Returns the names of the files of the lowest quality that were added.
  std::vector<std::string> take(std::size_t files, const std::string& list, Duration since_start) {
    manifest().take(std::vector<FetchedFile>(files, {.url = kLow, .bytes = list}), at(since_start), at(since_start));
    std::vector<std::string> added;
    for (const GrownSegment& segment : live_.live->news(at(since_start)).added)
      added.push_back(segment.lost ? "lost" : segment.tracks[0].place.uri.substr(kLow.rfind('/') + 1));
    return added;
  }

 private:
  Opened live_;
};

TEST(LiveHlsDeltas, AreAskedForWhileTheLastVersionIsYoungEnough) {
  Title title{list_of({})};
  EXPECT_THAT(title.asked(2s),
              ElementsAre(kLow + "?_HLS_skip=YES", kHigh + "?_HLS_skip=YES", kSound + "?_HLS_skip=YES"));
  EXPECT_THAT(title.asked(6s),
              ElementsAre(kLow + "?_HLS_skip=YES", kHigh + "?_HLS_skip=YES", kSound + "?_HLS_skip=YES"));
  EXPECT_THAT(title.asked(6001ms), ElementsAre(kLow, kHigh, kSound)) << "older than half of the skip boundary";
}

TEST(LiveHlsDeltas, AddWhatAWholePlaylistWouldAdd) {
  Title title{list_of({})};
  ASSERT_EQ(title.asked(2s).size(), 3U);
  EXPECT_THAT(title.take(3, list_of({.end = 21, .skipped = 7}), 2s), ElementsAre("s20.mp4"));
  ASSERT_EQ(title.asked(4s).size(), 3U);
  EXPECT_THAT(title.take(3, list_of({.first = 8, .end = 22, .skipped = 13}), 4s), ElementsAre("s21.mp4"))
      << "which goes on from the one before";
}

TEST(LiveHlsDeltas, OneThatLeavesOutTooMuchMakesOneWholeReload) {
  Title title{list_of({})};
  ASSERT_EQ(title.asked(2s).size(), 3U);
  EXPECT_THAT(title.take(3, list_of({.end = 30, .skipped = 20}), 2s), IsEmpty()) << "20 to 26 are not known";
  EXPECT_THAT(title.asked(2s), ElementsAre(kLow, kHigh, kSound)) << "at once";
  EXPECT_EQ(title.take(3, list_of({.end = 30}), 2s).size(), 10U);
  EXPECT_THAT(title.asked(4s),
              ElementsAre(kLow + "?_HLS_skip=YES", kHigh + "?_HLS_skip=YES", kSound + "?_HLS_skip=YES"));
}

TEST(LiveHlsDeltas, AnOriginWhoseDeltasNeverFitIsAskedForNoMore) {
  Title title{list_of({})};
  for (int round = 1; round <= 3; ++round) {
    const Duration now = round * 2s;
    ASSERT_EQ(title.asked(now).at(0), kLow + "?_HLS_skip=YES") << round;
    title.take(3, "<html>", now);
    ASSERT_EQ(title.asked(now).at(0), kLow);
    EXPECT_EQ(title.take(3, list_of({.end = 20 + round}), now).size(), 1U);
  }
  EXPECT_THAT(title.asked(8s), ElementsAre(kLow, kHigh, kSound));
}

TEST(LiveHlsDeltas, SegmentsThatAnEncoderBeganAnewAreNotThoseThatAreKnown) {
  Title title{list_of({})};
  ASSERT_EQ(title.asked(2s).size(), 3U);
  EXPECT_THAT(title.take(3, list_of({.end = 16, .skipped = 5, .files = "new"}), 2s), IsEmpty());
  EXPECT_THAT(title.asked(2s), ElementsAre(kLow, kHigh, kSound));
  const auto added = title.take(3, list_of({.end = 16, .files = "new"}), 2s);
  EXPECT_THAT(added, ::testing::Each(::testing::StartsWith("new")));
  EXPECT_EQ(added.size(), 9U);
}

TEST(LiveHlsDeltas, AVersionWithoutTheAttributeEndsThem) {
  Title title{list_of({})};
  ASSERT_EQ(title.asked(2s).size(), 3U);
  std::string list = list_of({.end = 21});
  list.replace(list.find("CAN-SKIP-UNTIL"), 4, "MAY");
  title.take(3, list, 2s);
  EXPECT_THAT(title.asked(4s), ElementsAre(kLow, kHigh, kSound));
}

const std::string kByParts = ",CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5\n#EXT-X-PART-INF:PART-TARGET=0.5";

std::string parts(int segment, int count) {
  std::string text;
  for (int part = 0; part < count; ++part)
    text += fmt::format("#EXT-X-PART:DURATION=0.5,URI=\"{}.{}.mp4\"{}\n", segment, part,
                        part == 0 ? ",INDEPENDENT=YES" : "");
  return text;
}

TEST(LiveHlsDeltas, GoTogetherWithHeldAnswers) {
  Title title{list_of({.more = parts(20, 2), .control = kByParts}), true};
  const std::string directives = "?_HLS_msn=20&_HLS_part=2&_HLS_skip=YES";
  ASSERT_THAT(title.asked(1ms), ElementsAre(kLow + directives, kHigh + directives, kSound + directives));
  EXPECT_THAT(title.take(3, list_of({.skipped = 7, .more = parts(20, 3), .control = kByParts}), 500ms),
              ElementsAre("20.2.mp4"));
  ASSERT_EQ(title.asked(501ms).size(), 3U);
  title.take(3, list_of({.skipped = 14, .more = parts(20, 4), .control = kByParts}), 501ms);
  EXPECT_THAT(title.asked(501ms), ElementsAre(kLow, kHigh, kSound)) << "without a directive, nothing is held";
}

TEST(LiveHlsReports, APlaylistThatIsBehindIsAskedForWhatIsReported) {
  Title title{list_of({.more = parts(20, 1), .control = kByParts}), true};
  title.manifest().play({0, 2});
  ASSERT_EQ(title.asked(1ms).size(), 2U);
  const std::string reports = "#EXT-X-RENDITION-REPORT:URI=\"../high/list.m3u8?x=1\",LAST-MSN=20,LAST-PART=3\n";
  title.take(2, list_of({.more = parts(20, 4) + reports, .control = kByParts}), 500ms);
  EXPECT_TRUE(title.manifest().play({1, 2}));
  EXPECT_THAT(title.asked(501ms), ElementsAre(kHigh + "?_HLS_msn=20&_HLS_part=3&_HLS_skip=YES"))
      << "alone: its answer does not wait for what is held";
  title.take(1, list_of({.more = parts(20, 4), .control = kByParts}), 502ms);
  EXPECT_THAT(title.asked(503ms), ElementsAre(kHigh + "?_HLS_msn=20&_HLS_part=4&_HLS_skip=YES",
                                              kSound + "?_HLS_msn=20&_HLS_part=4&_HLS_skip=YES"));
  EXPECT_FALSE(title.manifest().play({1, 2})) << "nothing joins";
}

TEST(LiveHlsReports, OneOfAFarFutureIsNotBelieved) {
  Title title{list_of({.more = parts(20, 1), .control = kByParts}), true};
  ASSERT_EQ(title.asked(1ms).size(), 3U);
  const std::string reports = "#EXT-X-RENDITION-REPORT:URI=\"../high/list.m3u8\",LAST-MSN=4000,LAST-PART=3\n";
  title.take(3, list_of({.more = parts(20, 2) + reports, .control = kByParts}), 500ms);
  EXPECT_THAT(title.asked(501ms), ::testing::Contains(kHigh + "?_HLS_msn=20&_HLS_part=2&_HLS_skip=YES"));
}

}  // namespace
}  // namespace tributary::live_hls_test
