// Texts and thumbnails of manifests: which files they have, and when these are shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifest_files_of.hh"
#include "manifests/from_hls/side_playlist.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ManifestFiles;
using testing::opened;
using ::testing::SizeIs;

constexpr const char* kUrl = "https://film.example/a/manifest";

constexpr const char* kPictureSet = R"(<AdaptationSet mimeType="video/mp4" codecs="avc1.4d401f">
  <SegmentTemplate timescale="1000" duration="2000" initialization="i.mp4" media="$Number$.m4s"/>
  <Representation id="v" bandwidth="500000" width="640" height="360"/></AdaptationSet>)";

std::string period_of(const std::string& sets, const std::string& attributes = "") {
  return "<Period " + attributes + ">" + sets + kPictureSet + "</Period>";
}
std::string mpd_of(const std::string& periods, const std::string& attributes = R"(mediaPresentationDuration="PT12S")") {
  return R"(<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" )" + attributes + ">" + periods + "</MPD>";
}
/// A text that is cut into segments of four seconds; its media begin at 10 s.
constexpr const char* kSegmented = R"(<AdaptationSet contentType="text" lang="de">
  <Role schemeIdUri="urn:mpeg:dash:role:2011" value="caption"/>
  <SegmentTemplate timescale="1000" presentationTimeOffset="10000" startNumber="3" duration="4000"
    initialization="t/i.mp4" media="t/$Number$.m4s"/>
  <Representation id="wvtt-de" bandwidth="256" mimeType="application/mp4" codecs="wvtt"/></AdaptationSet>)";
constexpr const char* kSideCar =
    R"(<AdaptationSet mimeType="text/vtt" lang="en"><Representation id="side" bandwidth="256">
  <BaseURL>en.vtt</BaseURL></Representation></AdaptationSet>)";

TEST(SideFiles, TextsOfMpdsFollowPicturesAndHaveFilesWithTimes) {
  const Opened title = opened(mpd_of(period_of(std::string{kSegmented} + kSideCar)), kUrl);
  EXPECT_THAT(title.left_out, IsEmpty());
  const std::vector<Track>& tracks = title.presentation.tracks;
  ASSERT_THAT(tracks, SizeIs(3));
  EXPECT_EQ(tracks[0].kind, TrackKind::kVideo);
  EXPECT_EQ(tracks[1].kind, TrackKind::kText);
  EXPECT_EQ(tracks[1].id, "wvtt-de");
  EXPECT_EQ(tracks[1].label.language, "de");
  EXPECT_TRUE(tracks[1].label.has(TrackRole::kCaption));
  const SideFiles& segmented = tracks[1].text;
  ASSERT_THAT(segmented.files, SizeIs(3));
  EXPECT_EQ(segmented.files[1].resource.uri, "https://film.example/a/t/4.m4s");
  EXPECT_EQ(segmented.files[1].start, 4s);
  EXPECT_EQ(segmented.files[1].duration, 4s);
  ASSERT_THAT(segmented.stretches, SizeIs(1));
  EXPECT_EQ(segmented.stretches[0].init->uri, "https://film.example/a/t/i.mp4");
  EXPECT_EQ(segmented.stretches[0].shift, -10s);
  const SideFiles& side = tracks[2].text;
  ASSERT_THAT(side.files, SizeIs(1));
  EXPECT_EQ(side.files[0].resource.uri, "https://film.example/a/en.vtt");
  EXPECT_EQ(side.files[0].duration, 12s);
  EXPECT_EQ(side.stretches[0].shift, 0s);
}

TEST(SideFiles, SessionsDoNotKnowThem) {
  const Presentation title = opened(mpd_of(period_of(kSegmented)), kUrl).presentation;
  EXPECT_THAT(without_addresses(title).tracks, SizeIs(1));
}

TEST(SideFiles, TextsOfPeriodsAreJoinedByLanguage) {
  const std::string more = R"(<AdaptationSet mimeType="text/vtt" lang="fr"><Representation id="fr" bandwidth="256">
  <BaseURL>fr.vtt</BaseURL></Representation></AdaptationSet>)";
  const Opened title =
      opened(mpd_of(period_of(kSegmented, R"(duration="PT12S")") + period_of(more, R"(duration="PT4S")") +
                        period_of(std::string{more} + kSegmented, R"(duration="PT8S")"),
                    ""),
             kUrl);
  const std::vector<Track>& tracks = title.presentation.tracks;
  ASSERT_THAT(tracks, SizeIs(3));
  EXPECT_EQ(tracks[1].label.language, "fr");
  ASSERT_THAT(tracks[1].text.files, SizeIs(2));
  EXPECT_EQ(tracks[1].text.files[0].start, 12s);
  EXPECT_EQ(tracks[1].text.files[1].start, 16s);
  const SideFiles& german = tracks[2].text;
  ASSERT_THAT(german.files, SizeIs(5));
  EXPECT_EQ(german.files[3].start, 16s);
  EXPECT_EQ(german.stretches[german.files[3].stretch].shift, 6s);
}

TEST(SideFiles, TextsThatCannotBeShownAreLeftOut) {
  const std::string images =
      R"(<AdaptationSet contentType="text" lang="de"><SegmentTemplate duration="4" media="$Number$"/>
  <Representation id="i" mimeType="application/mp4" codecs="stpp.ttml.im1i"/></AdaptationSet>)";
  const std::string other = R"(<AdaptationSet contentType="text" mimeType="application/x-subrip"><Representation id="s">
  <BaseURL>s.srt</BaseURL></Representation></AdaptationSet>)";
  const Opened title = opened(mpd_of(period_of(images + other)), kUrl);
  EXPECT_THAT(title.presentation.tracks, SizeIs(1));
  EXPECT_THAT(title.left_out, ElementsAre(HasSubstr("subtitles that are pictures"), HasSubstr("application/x-subrip")));
}

TEST(SideFiles, ThumbnailsOfMpdsAreSheets) {
  const std::string tiles = R"(<AdaptationSet mimeType="image/jpeg" contentType="image">
  <SegmentTemplate media="$RepresentationID$/$Number$.jpg" duration="6" startNumber="1"/>
  <Representation id="small" bandwidth="1000" width="640" height="360">
    <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="10x10"/></Representation>
  <Representation id="good" bandwidth="4000" width="400" height="225">
    <EssentialProperty schemeIdUri="http://dashif.org/thumbnail_tile" value="2x3"/></Representation></AdaptationSet>)";
  const Opened title = opened(mpd_of(period_of(tiles)), kUrl);
  EXPECT_THAT(title.left_out, IsEmpty());
  const SideFiles& thumbnails = title.presentation.thumbnails;
  ASSERT_THAT(thumbnails.files, SizeIs(2));
  const SideFile& second = thumbnails.files[1];
  EXPECT_EQ(second.resource.uri, "https://film.example/a/good/2.jpg");
  EXPECT_EQ(second.start, 6s);
  EXPECT_EQ(second.tiles.columns, 2);
  EXPECT_EQ(second.tiles.rows, 3);
  EXPECT_EQ(tile_at(second, 6s), 0U);
  EXPECT_EQ(tile_at(second, 7999ms), 1U);
  EXPECT_EQ(tile_at(second, 11999ms), 5U);
  EXPECT_EQ(tile_at(second, 20s), 5U);
  EXPECT_EQ(tile_at(second, 0s), 0U);
}

constexpr const char* kTextMaster = R"(#EXTM3U
#EXT-X-DEFINE:NAME="where",VALUE="cdn"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Forced",LANGUAGE="en",FORCED=YES,URI="forced.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="CC",LANGUAGE="en",CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog",URI="cc.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="other",NAME="Other",LANGUAGE="fr",URI="fr.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="wvtt,avc1.4d401f",SUBTITLES="s"
v.m3u8
#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=2000,RESOLUTION=120x68,CODECS="jpeg",URI="small.m3u8"
#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=8000,RESOLUTION=320x180,CODECS="jpeg",URI="large.m3u8"
)";
std::string picture_list(const std::string& end) {
  return "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nv0.ts\n" + end;
}

TEST(SideFiles, TextsOfHlsAreListedByTheirPlaylistsLater) {
  ManifestFiles files{{{"https://film.example/a/v.m3u8", picture_list("#EXT-X-ENDLIST\n")}}};
  const Presentation title = open_manifest(kTextMaster, kUrl, files.fetch()).presentation;
  EXPECT_THAT(files.asked, SizeIs(1));
  ASSERT_THAT(title.tracks, SizeIs(4));
  EXPECT_EQ(title.tracks[0].codec, "avc1.4d401f");
  EXPECT_EQ(title.tracks[1].text.playlist, "https://film.example/a/en.m3u8");
  EXPECT_EQ(title.tracks[1].text.variables.at("where"), "cdn");
  EXPECT_EQ(title.tracks[1].label.name, "English");
  EXPECT_THAT(title.tracks[1].label.roles, IsEmpty());
  EXPECT_THAT(title.tracks[2].label.roles, ElementsAre(TrackRole::kForced));
  EXPECT_THAT(title.tracks[3].label.roles, ElementsAre(TrackRole::kCaption));
  EXPECT_EQ(title.thumbnails.playlist, "https://film.example/a/large.m3u8");
}

/// The files that a playlist of a title on demand lists.
std::vector<SideList::Entry> listed_in(const std::string& text, const std::string& url, ManifestFiles files = {},
                                       hls::VariableValues variables = {}) {
  SideFiles side;
  side.variables = std::move(variables);
  SidePlaylist playlist{side};
  SideList list;
  playlist.take(text, url, files.fetch(), list);
  EXPECT_EQ(playlist.again_after(), std::nullopt);
  return list.between(0s, 1h, 100);
}

TEST(SideFiles, PlaylistsListFilesWithTimes) {
  const auto listed = listed_in(R"(#EXTM3U
#EXT-X-DEFINE:IMPORT="where"
#EXT-X-TARGETDURATION:4
#EXT-X-MAP:URI="i.mp4",BYTERANGE="100@0"
#EXTINF:4,
{$where}/0.m4s
#EXT-X-GAP
#EXTINF:4,
1.m4s
#EXTINF:2.5,
2.m4s
#EXT-X-ENDLIST
)",
                                "https://film.example/t/de.m3u8", {}, {{"where", "cdn"}});
  ASSERT_THAT(listed, SizeIs(2));
  EXPECT_EQ(listed[0].file.resource.uri, "https://film.example/t/cdn/0.m4s");
  EXPECT_EQ(listed[1].file.start, 8s);
  EXPECT_EQ(listed[1].file.duration, 2500ms);
  EXPECT_EQ(listed[0].stretch, listed[1].stretch);
  EXPECT_EQ(listed[0].stretch->init->range.size(), DataSize{100});
  EXPECT_FALSE(listed[0].stretch->shift);
}

TEST(SideFiles, SheetsOfHlsStateTheirTiles) {
  const auto listed = listed_in(R"(#EXTM3U
#EXT-X-TARGETDURATION:60
#EXT-X-IMAGES-ONLY
#EXT-X-TILES:RESOLUTION=160x90,LAYOUT=5x4,DURATION=3
#EXTINF:60,
0.jpg
#EXT-X-ENDLIST
)",
                                kUrl);
  ASSERT_THAT(listed, SizeIs(1));
  EXPECT_EQ(listed[0].file.tiles, (Tiles{5, 4, 3s}));
  EXPECT_EQ(tile_at(listed[0].file, 59s), 19U);
}

TEST(SideFiles, EncryptedFilesHaveTheirKeysAndInitializationVectors) {
  const std::string key = "0123456789abcdef";
  ManifestFiles files{{{"https://film.example/t/k", key}}};
  const auto listed = listed_in(R"(#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:7
#EXT-X-KEY:METHOD=AES-128,URI="k"
#EXTINF:4,
0.vtt
#EXTINF:4,
1.vtt
#EXT-X-KEY:METHOD=NONE
#EXTINF:4,
2.vtt
#EXT-X-ENDLIST
)",
                                "https://film.example/t/de.m3u8", files);
  ASSERT_THAT(listed, SizeIs(3));
  EXPECT_EQ(static_cast<char>(listed[1].file.resource.cipher.value().key[15]), key[15]);
  EXPECT_EQ(listed[1].file.resource.cipher->vector[15], std::byte{8});
  EXPECT_FALSE(listed[2].file.resource.cipher);
}

TEST(SideFiles, PlaylistsThatCannotBeUsedAreRefused) {
  const auto why = [](const std::string& text) -> std::string {
    try {
      listed_in(text, kUrl);
    } catch (const ManifestError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string begin = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n";
  EXPECT_THAT(why(begin + "#EXTINF:4,\na\n"), HasSubstr("goes on"));
  EXPECT_THAT(why(begin + "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:4,\na\n#EXT-X-ENDLIST\n"),
              HasSubstr("encrypted"));
  EXPECT_THAT(why(kTextMaster), HasSubstr("no media playlist"));
  EXPECT_NE(why("WEBVTT"), "accepted");
}

}  // namespace
}  // namespace tributary
