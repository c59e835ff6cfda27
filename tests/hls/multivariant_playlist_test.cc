#include "hls/multivariant_playlist.hh"

#include <gtest/gtest.h>

#include "hls/lines/playlist_limits.hh"
#include "playlist_texts.hh"

namespace tributary::hls {
namespace {

using namespace literals;
using namespace std::chrono_literals;

const std::string kVariant = "#EXT-X-STREAM-INF:BANDWIDTH=1000\nv.m3u8\n";

TEST(MultivariantPlaylist, AVariantHasAllItsAttributes) {
  const auto playlist = multivariant(
      "#EXT-X-STREAM-INF:BANDWIDTH=2000000,AVERAGE-BANDWIDTH=1500000,CODECS=\"avc1.4d401e,mp4a.40.2\","
      "SUPPLEMENTAL-CODECS=\"dvh1.08.07/db4h\",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO=\"aac\",VIDEO=\"angles\","
      "SUBTITLES=\"subs\",CLOSED-CAPTIONS=\"cc\",HDCP-LEVEL=TYPE-0,VIDEO-RANGE=HLG,ALLOWED-CPC=\"a:b\",PATHWAY-ID=\"CDN-A\","
      "STABLE-VARIANT-ID=\"s1\",NAME=\"720p\",SCORE=2.5,PROGRAM-ID=1,X-UNKNOWN=7\n# a comment\n\n720/p.m3u8?t=1#f\n");
  Variant expected;
  expected.uri = "720/p.m3u8?t=1#f";
  expected.bandwidth = 2_Mbps;
  expected.average_bandwidth = 1500_kbps;
  expected.codecs = "avc1.4d401e,mp4a.40.2";
  expected.supplemental_codecs = "dvh1.08.07/db4h";
  expected.resolution = Extent{1280, 720};
  expected.frame_rate = 29.97;
  expected.audio = "aac";
  expected.video = "angles";
  expected.subtitles = "subs";
  expected.closed_captions = "cc";
  expected.hdcp_level = "TYPE-0";
  expected.video_range = "HLG";
  expected.allowed_cpc = "a:b";
  expected.pathway_id = "CDN-A";
  expected.stable_id = "s1";
  expected.name = "720p";
  expected.score = 2.5;
  EXPECT_EQ(playlist.variants, std::vector{expected});
}

TEST(MultivariantPlaylist, VariantsKeepTheirOrder) {
  const auto playlist = multivariant("#EXT-X-STREAM-INF:BANDWIDTH=3\nc\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n");
  ASSERT_EQ(playlist.variants.size(), 2u);
  EXPECT_EQ(playlist.variants[0].uri, "c");
  EXPECT_EQ(playlist.variants[1].uri, "a");
}

TEST(MultivariantPlaylist, HintsThatCannotBeReadAreNone) {
  const Variant variant =
      multivariant(
          "#EXT-X-STREAM-INF:BANDWIDTH=0,AVERAGE-BANDWIDTH=x,RESOLUTION=big,FRAME-RATE=-1,SCORE=nan,CLOSED-CAPTIONS=NONE\nv\n")
          .variants.at(0);
  EXPECT_EQ(variant.bandwidth, DataRate{});
  EXPECT_EQ(variant.average_bandwidth, std::nullopt);
  EXPECT_EQ(variant.resolution, std::nullopt);
  EXPECT_EQ(variant.frame_rate, std::nullopt);
  EXPECT_EQ(variant.score, std::nullopt);
  EXPECT_TRUE(variant.no_closed_captions);
  EXPECT_EQ(variant.closed_captions, "");
  EXPECT_EQ(multivariant("#EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=\"NONE\"\nv\n").variants.at(0).closed_captions,
            "NONE");
}

TEST(MultivariantPlaylist, KeyFramesAndThumbnailsAreListsOfTheirOwn) {
  const auto playlist = multivariant(
      "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100,RESOLUTION=320x180,URI=\"i.m3u8\"\n"
      "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=50,RESOLUTION=160x90,CODECS=\"jpeg\",URI=\"t.m3u8\"\n" +
      kVariant);
  EXPECT_EQ(playlist.variants.size(), 1u);
  EXPECT_EQ(playlist.i_frame_variants.at(0).uri, "i.m3u8");
  EXPECT_EQ(playlist.i_frame_variants.at(0).resolution, (Extent{320, 180}));
  EXPECT_EQ(playlist.image_variants.at(0).uri, "t.m3u8");
  EXPECT_EQ(playlist.image_variants.at(0).codecs, "jpeg");
}

TEST(MultivariantPlaylist, ARenditionHasAllItsAttributes) {
  const auto playlist = multivariant(
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"aac\",LANGUAGE=\"en\",ASSOC-LANGUAGE=\"de\",NAME=\"English\",DEFAULT=YES, "
      "FORCED=YES,CHARACTERISTICS=\"public.easy\",CHANNELS=\"6\",STABLE-RENDITION-ID=\"r\",BIT-DEPTH=16,"
      "SAMPLE-RATE=48000,URI=\"en.m3u8\"\n"
      "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"cc\",NAME=\"CC\",AUTOSELECT=YES,INSTREAM-ID=\"CC1\"\n"
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",URI=\"s.m3u8\"\n#EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID=\"v\"\n" +
      kVariant);
  Rendition sound;
  sound.uri = "en.m3u8";
  sound.group = "aac";
  sound.name = "English";
  sound.language = "en";
  sound.assoc_language = "de";
  sound.is_default = sound.autoselect = sound.forced = true;
  sound.characteristics = "public.easy";
  sound.channels = "6";
  sound.stable_id = "r";
  sound.bit_depth = 16;
  sound.sample_rate = 48000;
  ASSERT_EQ(playlist.renditions.size(), 4u);
  EXPECT_EQ(playlist.renditions[0], sound);
  EXPECT_EQ(playlist.renditions[1].kind, RenditionKind::kClosedCaptions);
  EXPECT_EQ(playlist.renditions[1].instream_id, "CC1");
  EXPECT_EQ(playlist.renditions[1].uri, std::nullopt);
  EXPECT_TRUE(playlist.renditions[1].autoselect);
  EXPECT_FALSE(playlist.renditions[1].is_default);
  EXPECT_EQ(playlist.renditions[2].kind, RenditionKind::kSubtitles);
  EXPECT_EQ(playlist.renditions[3].kind, RenditionKind::kVideo);
}

TEST(MultivariantPlaylist, ARenditionThatNobodyCanReferToIsLeftOut) {
  EXPECT_TRUE(multivariant("#EXT-X-MEDIA:TYPE=SMELL,GROUP-ID=\"a\"\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"x\"\n" + kVariant)
                  .renditions.empty());
}

TEST(MultivariantPlaylist, TheRestOfItsTags) {
  const auto playlist = multivariant(
      "#EXT-X-VERSION:9\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES\n"
      "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-SESSION-KEY:METHOD=NONE\n"
      "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"unended\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steer\",PATHWAY-ID=\"A\"\n" +
      kVariant + "#EXT-X-ENDLIST\n#EXT-X-PLAYLIST-TYPE:VOD\nan-address-of-nothing\n");
  EXPECT_TRUE(playlist.independent_segments);
  EXPECT_EQ(playlist.start, (PlaylistStart{-12500ms, true}));
  EXPECT_EQ(playlist.session_keys.size(), 1u);
  EXPECT_EQ(playlist.steering, (ContentSteering{"/steer", "A"}));
  EXPECT_EQ(playlist.variants.size(), 1u);
  EXPECT_EQ(multivariant("#EXT-X-START:TIME-OFFSET=soon\n" + kVariant).start, std::nullopt);
}

TEST(MultivariantPlaylist, TheFirstTitleCounts) {
  const auto title = [](const std::string& tags) { return multivariant(tags + kVariant).title; };
  const std::string other = "#EXT-X-SESSION-DATA:DATA-ID=\"com.example.rating\",VALUE=\"5\"\n";
  const std::string film =
      "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\"Fjord, 2011\",LANGUAGE=\"en\"\n";
  EXPECT_EQ(title(other), "");
  EXPECT_EQ(title(other + film), "Fjord, 2011");
  EXPECT_EQ(title(film + "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\"Fjorden\",LANGUAGE=\"nb\"\n"),
            "Fjord, 2011");
  EXPECT_EQ(title("#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.title\",VALUE=\"unended\n" + film), "unended");
}

TEST(MultivariantPlaylist, WhatOnlyHelpsRefusesNothing) {
  for (const char* const odd :
       {"#EXT-X-STREAM-INF:PROGRAM-ID=1\nv\n", "#EXT-X-STREAM-INF:BANDWIDTH=fast\nv\n", "#EXT-X-STREAM-INF:\nv\n",
        "#EXT-X-STREAM-INF:BANDWIDTH=1\n", "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1\n",
        "#EXT-X-IMAGE-STREAM-INF:URI=\"a\"\n", "#EXT-X-MEDIA:GROUP-ID=\"a\"\n",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\n", "#EXT-X-CONTENT-STEERING:PATHWAY-ID=\"A\"\n",
        "#EXT-X-TARGETDURATION:6\n", "#EXT-X-MEDIA-SEQUENCE:5\n"}) {
    EXPECT_EQ(refusal(odd + kVariant), "accepted") << odd;
    EXPECT_EQ(refusal(kVariant + odd), "accepted") << odd;
  }
}

TEST(MultivariantPlaylist, ErrorsNameTheirPlace) {
  EXPECT_EQ(refusal("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"\"\n"), "line 2, EXT-X-MEDIA: the address is empty");
  EXPECT_EQ(refusal("#EXT-X-SESSION-KEY:URI=\"a\"\n"), "line 2, EXT-X-SESSION-KEY: METHOD is missing");
  EXPECT_EQ(refusal("#EXT-X-STREAM-INF:BANDWIDTH=1\nv\x01w\n"),
            "line 3: character 2 of the address is a control character");
}

TEST(MultivariantPlaylist, ListsHaveBounds) {
  EXPECT_EQ(refusal(repeated(kVariant, kMaxVariants)), "accepted");
  EXPECT_EQ(refusal(repeated(kVariant, kMaxVariants) + "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"a\"\n"),
            "line 2002, EXT-X-IMAGE-STREAM-INF: at most 1000 variants are read");
  EXPECT_EQ(refusal(repeated("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\"\n", kMaxRenditions + 1)),
            "line 1002, EXT-X-MEDIA: at most 1000 renditions are read");
  EXPECT_EQ(refusal(repeated("#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n", kMaxSessionKeys + 1)),
            "line 1002, EXT-X-SESSION-KEY: at most 1000 session keys are read");
}

}  // namespace
}  // namespace tributary::hls
