// Texts and thumbnails of live titles: which files are listed when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../manifest_files_of.hh"
#include "manifests/from_hls/side_playlist.hh"
#include "manifests/live/live_title.hh"

namespace tributary::live_texts_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ManifestFiles;
using ::testing::SizeIs;

constexpr const char* kUrl = "https://live.example/a/channel.mpd";
constexpr UtcTime kStart{std::chrono::milliseconds{1'700'000'000'000}};  // 2023-11-14T22:13:20Z

UtcTime at(Duration since_start) { return kStart + std::chrono::floor<std::chrono::milliseconds>(since_start); }

Opened opened_at(Duration since_start, const std::string& text, ManifestFiles files = {},
                 const std::string& url = kUrl) {
  return open_manifest(text, url, files.fetch(), {.now = at(since_start), .sent = at(since_start)});
}

std::string mpd(const std::string& periods, const std::string& attributes = "") {
  return R"(<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2023-11-14T22:13:20Z"
      minBufferTime="PT2S" )" +
         attributes + " profiles=\"p\">" + periods + "</MPD>";
}

constexpr const char* kPicture = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <SegmentTemplate timescale="1000" duration="2000" initialization="i.mp4" media="v$Number$.m4s"/>
  <Representation id="v" bandwidth="500000"/></AdaptationSet>)";

/// Segments of 4 s, whose media begin at 100 s.
std::string german(const std::string& folder) {
  return R"(<AdaptationSet contentType="text" lang="de"><SegmentTemplate timescale="1000" presentationTimeOffset="100000"
    duration="4000" initialization="i.mp4" media=")" +
         folder + R"($Number$.m4s"/>
  <Representation id="de" bandwidth="256" mimeType="application/mp4" codecs="stpp"/></AdaptationSet>)";
}

/// Of each file "name start".
std::vector<std::string> listed(const SideList& list) {
  std::vector<std::string> files;
  for (const SideList::Entry& entry : list.between(-24h, 24h, 1000)) {
    const std::string& uri = entry.file.resource.uri;
    files.push_back(fmt::format("{} {:g}", uri.substr(uri.rfind('/') + 1), to_seconds(entry.file.start)));
  }
  return files;
}

const Track& text_in(const Opened& opened) {
  const Track& text = opened.presentation.tracks.back();
  EXPECT_EQ(text.kind, TrackKind::kText);
  EXPECT_TRUE(text.text.is_live());
  return text;
}

TEST(LiveTexts, FilesOfATemplateComeByTheClock) {
  Opened live = opened_at(9s, mpd("<Period id=\"p\" start=\"PT0S\">" + german("t/") + kPicture + "</Period>"));
  EXPECT_THAT(live.left_out, IsEmpty());
  ASSERT_THAT(live.presentation.tracks, SizeIs(2));
  const SideList& list = *text_in(live).text.grows;
  EXPECT_THAT(listed(list), ElementsAre("1.m4s 0", "2.m4s 4"));
  EXPECT_EQ(list.between(0s, 1s, 1).front().stretch->shift, -100s);
  EXPECT_EQ(live.live->news(at(10s)).added.size(), 1U);
  EXPECT_THAT(listed(list), SizeIs(2));
  live.live->news(at(13s));
  EXPECT_THAT(listed(list), ElementsAre("1.m4s 0", "2.m4s 4", "3.m4s 8"));
}

TEST(LiveTexts, FilesThatLeftTheWindowLongAgoAreForgotten) {
  Opened live = opened_at(9s, mpd("<Period id=\"p\" start=\"PT0S\">" + german("t/") + kPicture + "</Period>",
                                  R"(timeShiftBufferDepth="PT30S")"));
  const SideList& list = *text_in(live).text.grows;
  for (Duration now = 10s; now <= 700s; now += 10s) live.live->news(at(now));
  const auto files = list.between(0s, 1000s, 1000);
  EXPECT_THAT(files, SizeIs(158));  // all that end behind 700 - 30 - 600 s
  EXPECT_EQ(files.front().file.start, 68s);
  EXPECT_EQ(files.back().file.end(), 700s);
}

TEST(LiveTexts, ALateTimelineIsListedWhenItComes) {
  const auto manifest = [](int pictures, int texts) {
    const auto set = [](const std::string& kind, const std::string& id, int count) {
      return fmt::format(R"(<AdaptationSet {}><SegmentTemplate timescale="1000" media="{}$Time$">
        <SegmentTimeline><S t="0" d="2000" r="{}"/></SegmentTimeline></SegmentTemplate>
        <Representation id="{}" bandwidth="1000"/></AdaptationSet>)",
                         kind, id, count - 1, id);
    };
    return mpd("<Period id=\"p\" start=\"PT0S\">" + set(R"(mimeType="video/mp4" codecs="avc1.4d401f")", "v", pictures) +
                   set(R"(mimeType="text/vtt" lang="en")", "t", texts) + "</Period>",
               R"(minimumUpdatePeriod="PT1S")");
  };
  Opened live = opened_at(10s, manifest(5, 3));
  const SideList& list = *text_in(live).text.grows;
  EXPECT_THAT(listed(list), ElementsAre("t0 0", "t2000 2", "t4000 4"));
  const auto take = [&](Duration now, const std::string& text) {
    const FetchedFile file{.url = kUrl, .bytes = text};
    live.live->manifest().take({&file, 1}, at(now), at(now));
    return live.live->news(at(now)).added.size();
  };
  EXPECT_EQ(take(12s, manifest(6, 3)), 1U);  // the picture waits for no text
  EXPECT_THAT(listed(list), SizeIs(3));
  EXPECT_EQ(take(14s, manifest(7, 6)), 1U);
  EXPECT_THAT(listed(list), ElementsAre("t0 0", "t2000 2", "t4000 4", "t6000 6", "t8000 8", "t10000 10"));
}

TEST(LiveTexts, RunThroughPeriodsThatHaveThem) {
  const std::string english =
      R"(<AdaptationSet mimeType="text/vtt" lang="en"><SegmentTemplate timescale="1" duration="4"
    media="en$Number$.vtt"/><Representation id="en" bandwidth="256"/></AdaptationSet>)";
  Opened live = opened_at(17s, mpd("<Period id=\"a\" start=\"PT0S\">" + german("a/") + english + kPicture +
                                   "</Period>" + "<Period id=\"b\" start=\"PT8S\">" + english + kPicture + "</Period>" +
                                   "<Period id=\"c\" start=\"PT12S\">" + german("c/") + kPicture + "</Period>"));
  ASSERT_THAT(live.presentation.tracks, SizeIs(3));
  const SideList& of_german = *live.presentation.tracks[1].text.grows;
  EXPECT_THAT(listed(of_german), ElementsAre("1.m4s 0", "2.m4s 4", "1.m4s 12"));
  EXPECT_EQ(of_german.between(12s, 13s, 1).front().stretch->shift, -88s);
  EXPECT_THAT(listed(*text_in(live).text.grows), ElementsAre("en1.vtt 0", "en2.vtt 4", "en1.vtt 8"));
}

TEST(LiveTexts, ThumbnailsGrowToo) {
  const std::string tiles = R"(<AdaptationSet mimeType="image/jpeg" contentType="image">
  <SegmentTemplate media="$Number$.jpg" duration="20"/><Representation id="thumbs" bandwidth="1000" width="1600" height="900">
  <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="10x1"/></Representation></AdaptationSet>)";
  Opened live = opened_at(9s, mpd("<Period id=\"p\" start=\"PT0S\">" + tiles + kPicture + "</Period>"));
  EXPECT_THAT(live.left_out, IsEmpty());
  ASSERT_FALSE(live.presentation.thumbnails.empty());
  const SideList& list = *live.presentation.thumbnails.grows;
  EXPECT_THAT(listed(list), IsEmpty());
  live.live->news(at(41s));
  EXPECT_THAT(listed(list), ElementsAre("1.jpg 0", "2.jpg 20"));
  EXPECT_EQ(tile_at(list.between(20s, 40s, 1).front().file, 27s), 3U);
}

constexpr const char* kMaster = R"(#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=500000,CODECS="avc1.4d401f",SUBTITLES="s"
v.m3u8
#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=2000,RESOLUTION=120x68,CODECS="jpeg",URI="small.m3u8"
)";
constexpr const char* kMasterUrl = "https://live.example/a/master.m3u8";

/// Segments of 2 s with these media sequence numbers. `date`: seconds of the first one, after 22:13.
std::string playlist(int first, int last, const std::string& name, std::optional<int> date = {},
                     const std::string& end = "") {
  std::string text = fmt::format("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:{}\n", first);
  if (date) text += fmt::format("#EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:13:{:02}.000Z\n", *date);
  for (int i = first; i <= last; ++i) text += fmt::format("#EXTINF:2,\n{}{}\n", name, i);
  return text + end;
}

struct LiveTextPlaylist {
  explicit LiveTextPlaylist(const std::string& pictures)
      : live{opened_at(0s, kMaster, {{{"https://live.example/a/v.m3u8", pictures}}}, kMasterUrl)},
        text{text_in(live).text} {}

  std::vector<std::string> take(const std::string& version) {
    text.take(version, "https://live.example/a/en.m3u8", ManifestFiles{}.fetch(), list);
    return listed(list);
  }
  void pictures_go_on(Duration now, const std::string& pictures) {
    std::vector<FetchedFile> files;
    for (const WantedFile& wanted : live.live->manifest().due(at(now)))
      files.push_back({.url = wanted.url, .bytes = pictures});
    EXPECT_THAT(files, SizeIs(1));  // no text is fetched with the picture
    live.live->manifest().take(files, at(now), at(now));
  }
  Opened live;
  SidePlaylist text;
  SideList list;
};

TEST(LiveTexts, APlaylistIsPutBesideThePictureAsItIsNow) {
  LiveTextPlaylist hls{playlist(7, 10, "v", 20)};
  EXPECT_EQ(text_in(hls.live).text.playlist, "https://live.example/a/en.m3u8");
  EXPECT_THAT(hls.live.left_out, ElementsAre(HasSubstr("thumbnails of live playlists")));
  hls.pictures_go_on(2s, playlist(8, 11, "v", 22));
  EXPECT_THAT(hls.take(playlist(3, 5, "t", 24)), ElementsAre("t3 4", "t4 6", "t5 8"));  // by dates
  EXPECT_EQ(hls.text.again_after(), 2s);
  EXPECT_THAT(hls.take(playlist(3, 5, "t", 24)), SizeIs(3));
  EXPECT_EQ(hls.text.again_after(), 1s);  // it has not grown
  EXPECT_THAT(hls.take(playlist(5, 7, "t", 28, "#EXT-X-ENDLIST\n")),
              ElementsAre("t3 4", "t4 6", "t5 8", "t6 10", "t7 12"));
  EXPECT_EQ(hls.text.again_after(), std::nullopt);
}

TEST(LiveTexts, APlaylistWithoutDatesEndsAsThePictureDoes) {
  LiveTextPlaylist hls{playlist(7, 10, "v")};
  hls.pictures_go_on(2s, playlist(8, 11, "v"));
  EXPECT_THAT(hls.take(playlist(2, 3, "t")), ElementsAre("t2 6", "t3 8"));
}

TEST(LiveTexts, APlaylistMayBeginEmpty) {
  LiveTextPlaylist hls{playlist(7, 10, "v")};
  EXPECT_THAT(hls.take("#EXTM3U\n#EXT-X-TARGETDURATION:4\n"), IsEmpty());
  EXPECT_EQ(hls.text.again_after(), 2s);
  EXPECT_THAT(hls.take(playlist(10, 10, "t")), ElementsAre("t10 6"));
}

}  // namespace
}  // namespace tributary::live_texts_test
