#include "manifests/live/live_hls.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../manifest_files_of.hh"
#include "manifests/live/live_title.hh"

namespace tributary::live_hls_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ManifestFiles;

constexpr const char* kUrl = "https://live.example/a/master.m3u8";
constexpr UtcTime kStart{std::chrono::milliseconds{1'700'000'000'000}};

/// Segments of 2 s with these media sequence numbers. `date`: seconds of the first one, after 22:13.
std::string playlist(int first, int last, std::optional<int> date = {}, const std::string& end = "") {
  std::string text = fmt::format("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:{}\n", first);
  if (date) text += fmt::format("#EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:13:{:02}.000Z\n", *date);
  for (int i = first; i <= last; ++i) text += fmt::format("#EXTINF:2,\n{}.ts\n", i);
  return text + end;
}

constexpr const char* kMaster = R"(#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="sound",URI="sound/list.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=500000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=320x180,AUDIO="a"
low/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"
high/list.m3u8
)";

UtcTime at(Duration since_start) { return kStart + std::chrono::floor<std::chrono::milliseconds>(since_start); }

struct Lists {
  std::string low, high, sound;
};

Opened opened(const Lists& lists) {
  ManifestFiles files{{{"https://live.example/a/low/list.m3u8", lists.low},
                       {"https://live.example/a/high/list.m3u8", lists.high},
                       {"https://live.example/a/sound/list.m3u8", lists.sound}}};
  return open_manifest(kMaster, kUrl, files.fetch(), {.now = kStart, .sent = kStart});
}

/// The address of the first segment of each track behind the folder of the title.
std::vector<std::string> first_of(const Presentation& title) {
  std::vector<std::string> uris;
  for (const Track& track : title.tracks)
    uris.push_back(track.segment(SegmentIndex{0}).uri.substr(std::string{"https://live.example/a/"}.size()));
  return uris;
}

std::vector<std::string> due(Opened& opened, Duration since_start) {
  std::vector<std::string> urls;
  for (const WantedFile& file : opened.live->manifest().due(at(since_start))) urls.push_back(file.url);
  return urls;
}

/// All playlists are fetched again at that time, and told.
LiveTitle::News reload(Opened& opened, Duration since_start, const Lists& lists) {
  std::vector<FetchedFile> files;
  for (const WantedFile& file : opened.live->manifest().due(at(since_start)))
    files.push_back({.url = file.url,
                     .bytes = file.url.find("/low/") != std::string::npos    ? lists.low
                              : file.url.find("/high/") != std::string::npos ? lists.high
                                                                             : lists.sound});
  opened.live->manifest().take(files, at(since_start), at(since_start));
  return opened.live->news(at(since_start));
}

TEST(LiveHls, IsALadderWithASoundThatGrowsWhenAllPlaylistsDo) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_TRUE(live.presentation.live);
  EXPECT_TRUE(live.presentation.times_are_measured);
  ASSERT_EQ(live.presentation.tracks.size(), 3U);
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 4U);
  EXPECT_THAT(reload(live, 2s, {playlist(8, 11), playlist(7, 10), playlist(8, 11)}).added, IsEmpty());
  const LiveTitle::News news = reload(live, 3s, {playlist(8, 11), playlist(8, 11), playlist(8, 11)});
  ASSERT_EQ(news.added.size(), 1U);
  EXPECT_EQ(news.added[0].tracks.size(), 3U);
  EXPECT_EQ(news.added[0].tracks[1].place.uri, "https://live.example/a/high/11.ts");
  EXPECT_EQ(news.added[0].start, 8s);
  EXPECT_EQ(news.window_begin, Duration{2s});
  EXPECT_FALSE(news.complete);
}

TEST(LiveHls, PlaylistsAreFetchedAgainAfterATargetDurationOrHalfOfIt) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THAT(due(live, 1900ms), IsEmpty());
  reload(live, 2s, {playlist(8, 11), playlist(7, 10), playlist(8, 11)});
  EXPECT_THAT(due(live, 2900ms), IsEmpty());
  EXPECT_THAT(due(live, 3s), ElementsAre("https://live.example/a/high/list.m3u8"));
}

TEST(LiveHls, DatesJoinPlaylistsWhateverTheirNumbers) {
  const Opened live = opened({playlist(7, 10, 20), playlist(107, 110, 22), playlist(3, 8, 18)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/8.ts", "high/107.ts", "sound/5.ts"));
}

TEST(LiveHls, WithoutDatesADiscontinuityThatBothListDoes) {
  const auto behind_a_break = [](int first, int before, int last) {
    std::string text = playlist(first, last);
    text.insert(text.find(fmt::format("#EXTINF:2,\n{}.ts", before + 1)), "#EXT-X-DISCONTINUITY\n");
    return text;
  };
  const Opened live = opened({behind_a_break(7, 8, 12), behind_a_break(100, 104, 107), behind_a_break(1, 1, 5)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/9.ts", "high/105.ts", "sound/2.ts"));
  EXPECT_EQ(live.presentation.tracks[0].sizes.size(), 3U) << "the others are not there yet in the second one";
}

TEST(LiveHls, EqualNumbersJoinPlaylistsThatEndAlike) {
  const Opened live = opened({playlist(7, 10), playlist(6, 9), playlist(8, 11)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/7.ts", "high/7.ts", "sound/8.ts"));
}

TEST(LiveHls, OtherNumbersMeanNothingThere) {
  const Opened live = opened({playlist(7, 10), playlist(10, 13), playlist(100, 103)});
  EXPECT_THAT(first_of(live.presentation), ElementsAre("low/7.ts", "high/10.ts", "sound/100.ts"));
}

TEST(LiveHls, EndsWithItsPlaylists) {
  constexpr const char* kEnd = "#EXT-X-ENDLIST\n";
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const std::string last = playlist(8, 11, {}, kEnd);
  const LiveTitle::News news = reload(live, 2s, {last, last, last});
  EXPECT_EQ(news.added.size(), 1U);
  EXPECT_TRUE(news.complete);
  EXPECT_EQ(live.live->manifest().next_due(), std::nullopt);
}

TEST(LiveHls, AnOlderPlaylistChangesNothing) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THAT(reload(live, 2s, {playlist(6, 9), playlist(6, 9), playlist(6, 9)}).added, IsEmpty());
  EXPECT_EQ(reload(live, 4s, {playlist(8, 11), playlist(8, 11), playlist(8, 11)}).added.size(), 1U);
}

TEST(LiveHls, WhatLeftThePlaylistsUnseenIsLost) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const LiveTitle::News news = reload(live, 20s, {playlist(14, 15), playlist(14, 15), playlist(14, 15)});
  ASSERT_EQ(news.added.size(), 3U);
  EXPECT_TRUE(news.added[0].lost);
  EXPECT_EQ(news.added[0].duration, 6s);
  EXPECT_EQ(news.added[1].start, 14s);
}

TEST(LiveHls, AGapIsLost) {
  std::string gap = playlist(8, 11);
  gap.insert(gap.find("#EXTINF:2,\n11.ts"), "#EXT-X-GAP\n");
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  const LiveTitle::News news = reload(live, 2s, {gap, gap, gap});
  ASSERT_EQ(news.added.size(), 1U);
  EXPECT_TRUE(news.added[0].lost);
}

TEST(LiveHls, AnotherStretchIsRefusedWithItsPlaylist) {
  std::string cut = playlist(8, 11);
  cut.insert(cut.find("#EXTINF:2,\n11.ts"), "#EXT-X-DISCONTINUITY\n");
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  try {
    reload(live, 2s, {cut, cut, cut});
    FAIL();
  } catch (const ManifestError& error) {
    EXPECT_THAT(error.what(), HasSubstr("low/list.m3u8: another stretch begins (EXT-X-DISCONTINUITY)"));
  }
}

TEST(LiveHls, APlaylistThatIsBeingWrittenIsFetchedAgain) {
  Opened live = opened({playlist(7, 10), playlist(7, 10), playlist(7, 10)});
  EXPECT_THROW(reload(live, 2s, {"#EXTM3U\n", playlist(8, 11), playlist(8, 11)}), UnreadableForNow);
  EXPECT_EQ(reload(live, 3s, {playlist(8, 11), playlist(8, 11), playlist(8, 11)}).added.size(), 1U);
}

TEST(LiveHls, AMediaPlaylistAloneIsFetchedAgainItself) {
  ManifestFiles none;
  Opened live = open_manifest(playlist(7, 10, 20), "https://live.example/a/list.m3u8", none.fetch(),
                              {.now = kStart, .sent = kStart});
  EXPECT_THAT(due(live, 2s), ElementsAre("https://live.example/a/list.m3u8"));
  EXPECT_EQ(live.presentation.live->availability_start, UtcTime{std::chrono::milliseconds{1'700'000'000'000}})
      << "22:13:20";
}

TEST(LiveHls, DatesKeepTheTimelineFromDrifting) {
  Opened live = opened({playlist(7, 10, 20), playlist(7, 10, 20), playlist(7, 10, 20)});
  const std::string late = playlist(11, 11, 28).replace(playlist(11, 11, 28).find(".000Z"), 5, ".300Z");
  const LiveTitle::News news = reload(live, 2s, {late, late, late});
  ASSERT_EQ(news.added.size(), 1U);
  EXPECT_EQ(news.added[0].start, 8s);
  EXPECT_EQ(news.added[0].duration, 2300ms) << "a small hole belongs to the segment behind it";
}

}  // namespace
}  // namespace tributary::live_hls_test
