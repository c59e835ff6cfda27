#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "segmenter/publish/dash_manifest.hh"
#include "segmenter/publish/hls_playlist.hh"

namespace tributary::segmenter {
namespace {

using namespace literals;
using ::testing::HasSubstr;
using ::testing::Not;

Track track_of(const std::string& id, TrackKind kind, std::uint32_t timescale, std::vector<std::uint64_t> durations) {
  Track track;
  track.id = id;
  track.kind = kind;
  track.group = to_string(kind);
  track.mime = track.group + "/mp4";
  track.timescale = timescale;
  track.init = Resource{id + "/init.mp4", {}, true};
  track.uri = id + "/{n:05}.m4s";
  track.durations = std::move(durations);
  track.sizes.assign(track.durations.size(), 100_kB);
  return track;
}

/// 29.97 pictures a second in two qualities, with sound.
Presentation film() {
  Presentation film;
  for (const char* id : {"low", "high"}) {
    Track track = track_of(id, TrackKind::kVideo, 30000, {60060, 60060, 60060, 15015});
    track.codec = "avc1.64001f";
    track.offset = 2002;
    track.width = 640;
    track.height = 360;
    track.frame_rate_num = 30000;
    track.frame_rate_den = 1001;
    track.bitrate = {1_Mbps, 1_Mbps, 800_kbps, 1_Mbps};
    film.tracks.push_back(track);
  }
  Track sound = track_of("audio", TrackKind::kAudio, 44100, {88064, 88064, 89088, 21504});
  sound.codec = "mp4a.40.2";
  sound.offset = 2943;
  sound.sample_rate = 44100;
  sound.channels = 2;
  sound.label.language = "nb";
  sound.bitrate = {128_kbps, 130_kbps, 127_kbps, 129_kbps};
  film.tracks.push_back(sound);
  return film;
}

std::string manifest_of(const Presentation& presentation) {
  return write_dash_manifest(presentation, *utc_from("2026-01-02T04:00:00Z"));
}

TEST(HlsPlaylist, TheMasterNamesEveryTrackAndSumsUpPictureAndSound) {
  const std::string variant =
      "#EXT-X-STREAM-INF:BANDWIDTH=1129000,AVERAGE-BANDWIDTH=927000,CODECS=\"avc1.64001f,mp4a.40.2\","
      "RESOLUTION=640x360,FRAME-RATE=29.970,CLOSED-CAPTIONS=NONE,AUDIO=\"audio\"\n";
  EXPECT_EQ(write_master_playlist(film()),
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"nb\",LANGUAGE=\"nb\",DEFAULT=YES,AUTOSELECT=YES,"
            "CHANNELS=\"2\",URI=\"audio/playlist.m3u8\"\n" +
                variant + "low/playlist.m3u8\n" + variant + "high/playlist.m3u8\n");
}

TEST(HlsPlaylist, NoTwoSoundsAreCalledTheSame) {
  Presentation presentation = film();
  Track other = presentation.tracks[2];
  other.id = other.group = "audio-2";
  presentation.tracks.push_back(other);
  EXPECT_EQ(rendition_name(presentation, presentation.tracks[3]), "nb · audio-2");
  presentation.tracks[3].label.name = "\"Nynorsk\"";
  EXPECT_EQ(rendition_name(presentation, presentation.tracks[2]), "nb");
  EXPECT_EQ(rendition_name(presentation, presentation.tracks[3]), "'Nynorsk'");
}

TEST(HlsPlaylist, WithoutSoundThereIsNoGroup) {
  Presentation silent = film();
  silent.tracks.pop_back();
  const std::string master = write_master_playlist(silent);
  EXPECT_THAT(master, HasSubstr("BANDWIDTH=1000000,AVERAGE-BANDWIDTH=800000,CODECS=\"avc1.64001f\",RESOLUTION"));
  EXPECT_THAT(master, Not(HasSubstr("AUDIO")));
}

TEST(HlsPlaylist, TellsOfHighDynamicRange) {
  Presentation presentation = film();
  presentation.tracks[0].color = ColorCodes{9, 16, 9};
  presentation.tracks[1].color = ColorCodes{1, 1, 1};
  const std::string master = write_master_playlist(presentation);
  EXPECT_THAT(master, HasSubstr("CLOSED-CAPTIONS=NONE,VIDEO-RANGE=PQ,AUDIO=\"audio\"\nlow/playlist.m3u8"));
  EXPECT_THAT(master, HasSubstr("CLOSED-CAPTIONS=NONE,AUDIO=\"audio\"\nhigh/playlist.m3u8"));
}

TEST(HlsPlaylist, DurationsAddUpExactly) {
  const Presentation presentation = film();
  EXPECT_EQ(write_media_playlist(presentation, presentation.tracks[2]),
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-PLAYLIST-"
            "TYPE:VOD\n"
            "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP:URI=\"init.mp4\"\n"
            "#EXTINF:1.996916,\n#EXT-X-BITRATE:401\n00001.m4s\n#EXTINF:1.996916,\n#EXT-X-BITRATE:401\n00002.m4s\n"
            "#EXTINF:2.020136,\n#EXT-X-BITRATE:396\n00003.m4s\n#EXTINF:0.487619,\n#EXT-X-BITRATE:1641\n00004.m4s\n"
            "#EXT-X-ENDLIST\n");
  // 1/3 s: were each rounded down, 3000 of them would miss a millisecond.
  const Track thirds = track_of("x", TrackKind::kVideo, 3, std::vector<std::uint64_t>(3000, 1));
  const std::string text = write_media_playlist(presentation, thirds);
  double sum = 0;
  for (std::size_t at = 0; (at = text.find("#EXTINF:", at)) != std::string::npos; at += 8)
    sum += std::stod(text.substr(at + 8));
  EXPECT_NEAR(sum, 1000, 1e-6);
}

TEST(HlsPlaylist, TheTargetDurationIsTheLongestOfAllTracksRounded) {
  Presentation presentation = film();
  EXPECT_EQ(target_duration(presentation), 2);
  presentation.tracks[2].durations[1] = 110250;  // 2.5 s
  EXPECT_EQ(target_duration(presentation), 3);
  for (Track& track : presentation.tracks) track.durations.assign(4, 100);
  EXPECT_EQ(target_duration(presentation), 1);
}

TEST(DashManifest, IsExactInTicks) {
  const std::string mpd = manifest_of(film());
  EXPECT_THAT(mpd, HasSubstr("mediaPresentationDuration=\"PT6.507S\""));  // 6.5065 s
  EXPECT_THAT(mpd, HasSubstr("frameRate=\"30000/1001\""));
  EXPECT_THAT(mpd, HasSubstr("<SegmentTemplate timescale=\"30000\" presentationTimeOffset=\"2002\" startNumber=\"1\" "
                             "initialization=\"$RepresentationID$/init.mp4\" "
                             "media=\"$RepresentationID$/$Number%05d$.m4s\">"));
  EXPECT_THAT(mpd, HasSubstr("<S t=\"2002\" d=\"60060\" r=\"2\" />"));
  EXPECT_THAT(mpd, HasSubstr("<S d=\"15015\" />"));
  EXPECT_THAT(mpd, HasSubstr("<S t=\"2943\" d=\"88064\" r=\"1\" />"));
  EXPECT_THAT(mpd, HasSubstr("<Representation id=\"high\" codecs=\"avc1.64001f\" bandwidth=\"1000000\" width=\"640\""));
  EXPECT_THAT(mpd, HasSubstr("lang=\"nb\""));
}

TEST(DashManifest, TellsOfHighDynamicRange) {
  const auto properties = [](ColorCodes color) {
    Presentation presentation = film();
    for (Track& track : presentation.tracks) track.color = color;
    presentation.tracks[2].color.reset();
    return manifest_of(presentation);
  };
  EXPECT_THAT(
      properties({9, 18, 9}),
      HasSubstr("<SupplementalProperty schemeIdUri=\"urn:mpeg:mpegB:cicp:ColourPrimaries\" value=\"9\" />\n"
                "      <SupplementalProperty schemeIdUri=\"urn:mpeg:mpegB:cicp:TransferCharacteristics\" "
                "value=\"18\" />\n"
                "      <SupplementalProperty schemeIdUri=\"urn:mpeg:mpegB:cicp:MatrixCoefficients\" value=\"9\" />"));
  EXPECT_THAT(properties({1, 1, 1}), Not(HasSubstr("cicp")));
}

TEST(DashManifest, AWholeFrameRateIsANumber) {
  Presentation presentation = film();
  for (Track& track : presentation.tracks) track.frame_rate_den = 1, track.frame_rate_num = 25;
  EXPECT_THAT(manifest_of(presentation), HasSubstr("frameRate=\"25\""));
}

}  // namespace
}  // namespace tributary::segmenter
