#include "hls/media_playlist.hh"

#include <gtest/gtest.h>

#include "hls/lines/playlist_limits.hh"
#include "playlist_texts.hh"

namespace tributary::hls {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(MediaPlaylist, SegmentsHaveAddressDurationAndNumber) {
  const MediaPlaylist playlist = media(
      "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:7\n#EXT-X-MEDIA-SEQUENCE:266\n#EXT-X-PLAYLIST-TYPE:VOD\n"
      "#EXTINF:6.006,a title, with a comma\na.ts?x=1\n#EXTINF:5\nhttps://b.example/b.ts\n#EXT-X-ENDLIST\n");
  EXPECT_EQ(playlist.target_duration, 7s);
  EXPECT_EQ(playlist.type, PlaylistType::kVod);
  EXPECT_TRUE(playlist.ended);
  EXPECT_EQ(playlist.media_sequence, 266u);
  ASSERT_EQ(playlist.segments.size(), 2u);
  MediaSegment first;
  first.uri = "a.ts?x=1";
  first.duration = 6006ms;
  first.sequence = 266;
  EXPECT_EQ(playlist.segments[0], first);
  EXPECT_EQ(playlist.segments[1].uri, "https://b.example/b.ts");
  EXPECT_EQ(playlist.segments[1].duration, 5s);
  EXPECT_EQ(playlist.segments[1].sequence, 267u);
}

TEST(MediaPlaylist, WhatIsNotStated) {
  const MediaPlaylist playlist = media("#EXTINF:2,\na\n#EXTINF:3.5,\nb\n");
  EXPECT_EQ(playlist.target_duration, 3500ms);  // the longest
  EXPECT_EQ(playlist.type, PlaylistType::kSliding);
  EXPECT_FALSE(playlist.ended);
  EXPECT_EQ(playlist.media_sequence, 0u);
  EXPECT_EQ(media("#EXT-X-TARGETDURATION:9.5\n").target_duration, 9500ms);
  EXPECT_EQ(media("#EXT-X-PLAYLIST-TYPE:\n" + kSegment).type, PlaylistType::kSliding);
  EXPECT_EQ(media("#EXT-X-PLAYLIST-TYPE:asdf\n" + kSegment).type, PlaylistType::kSliding);
  EXPECT_EQ(media("#EXT-X-PLAYLIST-TYPE:EVENT\n" + kSegment).type, PlaylistType::kEvent);
}

TEST(MediaPlaylist, TheOrderOfHarmlessTagsIsFree) {
  const MediaPlaylist playlist = media(
      "#EXT-X-ENDLIST\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\na\n#EXT-X-TARGETDURATION:2\n"
      "#EXT-X-DISCONTINUITY-SEQUENCE:4\n#EXT-X-MEDIA-SEQUENCE:8\n#EXT-X-MEDIA-SEQUENCE:8\n#EXTINF:2,\nb\n");
  EXPECT_TRUE(playlist.ended);
  EXPECT_EQ(playlist.segments.at(0).sequence, 8u);
  EXPECT_EQ(playlist.segments.at(0).discontinuity, 5u);
  EXPECT_EQ(playlist.segments.at(0).date, *utc_from("2026-01-01T00:00:00Z"));
  EXPECT_EQ(playlist.segments.at(1).sequence, 9u);
}

TEST(MediaPlaylist, DiscontinuitiesAreCounted) {
  const MediaPlaylist playlist =
      media("#EXT-X-DISCONTINUITY-SEQUENCE:3\n" + kSegment + kSegment + "#EXT-X-DISCONTINUITY\n" + kSegment +
            "#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY\n" + kSegment);
  EXPECT_EQ(playlist.discontinuity_sequence, 3u);
  std::vector<std::uint64_t> numbers;
  for (const MediaSegment& segment : playlist.segments) numbers.push_back(segment.discontinuity);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{3, 3, 4, 6}));
}

// hls.js PR #622
TEST(MediaPlaylist, ARangeWithoutOffsetFollowsTheOneBefore) {
  const MediaPlaylist playlist = media(
      "#EXTINF:1,\n#EXT-X-BYTERANGE:100@20\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:50\na\n#EXT-X-BYTERANGE:5\n#EXTINF:1,\na\n"
      "#EXTINF:1,\nb\n#EXT-X-BYTERANGE:7@0\n#EXTINF:1,\nb\n");
  EXPECT_EQ(playlist.segments.at(0).range, (ByteRange{20_B, 120_B}));
  EXPECT_EQ(playlist.segments.at(1).range, (ByteRange{120_B, 170_B}));
  EXPECT_EQ(playlist.segments.at(2).range, (ByteRange{170_B, 175_B}));
  EXPECT_EQ(playlist.segments.at(3).range, std::nullopt);
  EXPECT_EQ(playlist.segments.at(4).range, (ByteRange{0_B, 7_B}));
}

TEST(MediaPlaylist, ARangeThatFollowsNothingIsTheBeginningOfItsFileOrRefused) {
  const std::string why = "its EXT-X-BYTERANGE has no offset, and the segment before is no range of the same file";
  EXPECT_EQ(media("#EXTINF:1,\n#EXT-X-BYTERANGE:50\na\n").segments.at(0).range, (ByteRange{0_B, 50_B}));
  EXPECT_EQ(media("#EXTINF:1,\n#EXT-X-BYTERANGE:50@0\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:50\nb\n").segments.at(1).range,
            (ByteRange{0_B, 50_B}));
  EXPECT_EQ(refusal("#EXTINF:1,\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:50\na\n"), "line 6: " + why);
  EXPECT_EQ(refusal("#EXT-X-MAP:URI=\"a\",BYTERANGE=\"9@0\"\n#EXTINF:1,\n#EXT-X-BYTERANGE:50\na\n"), "line 5: " + why);
}

TEST(MediaPlaylist, RangesDoNotOverflow) {
  const std::string most = "4611686018427387903";
  EXPECT_EQ(refusal("#EXTINF:1,\n#EXT-X-BYTERANGE:" + most + "@" + most + "\na\n"),
            "line 4: its EXT-X-BYTERANGE ends beyond any file");
  EXPECT_EQ(refusal("#EXTINF:1,\n#EXT-X-BYTERANGE:" + most + "@0\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:" + most + "\na\n"),
            "line 7: its EXT-X-BYTERANGE ends beyond any file");
  EXPECT_EQ(refusal("#EXT-X-MAP:URI=\"a\",BYTERANGE=\"" + most + "@1\"\n"),
            "line 2, EXT-X-MAP: BYTERANGE ends beyond any file");
}

// Shaka PR #5732
TEST(MediaPlaylist, AMapBehindARangeTakesNothingFromIt) {
  const MediaPlaylist playlist = media(
      "#EXTINF:1,\n#EXT-X-BYTERANGE:100@720\n#EXT-X-MAP:URI=\"a\",BYTERANGE=\"720@0\"\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:50\na\n");
  EXPECT_EQ(playlist.maps.at(0).range, (ByteRange{0_B, 720_B}));
  EXPECT_EQ(playlist.segments.at(0).range, (ByteRange{720_B, 820_B}));
  EXPECT_EQ(playlist.segments.at(1).range, (ByteRange{820_B, 870_B}));
}

TEST(MediaPlaylist, AMapIsInForceUntilTheNext) {
  const std::string one = "#EXT-X-MAP:URI=\"1.mp4\"\n";
  const MediaPlaylist playlist =
      media(kSegment + one + kSegment + one + kSegment + "#EXT-X-DISCONTINUITY\n" + kSegment +
            "#EXT-X-MAP:URI=\"2.mp4\",BYTERANGE=\"9\"\n" + kSegment + one + kSegment);
  ASSERT_EQ(playlist.maps.size(), 3u);  // the repeated one is the same
  EXPECT_EQ(playlist.segments.at(0).map, std::nullopt);
  EXPECT_EQ(playlist.segments.at(1).map, 0u);
  EXPECT_EQ(playlist.segments.at(2).map, 0u);
  EXPECT_EQ(playlist.segments.at(3).map, 0u);
  EXPECT_EQ(playlist.segments.at(4).map, 1u);
  EXPECT_EQ(playlist.segments.at(5).map, 2u);
  EXPECT_EQ(playlist.maps[1].range, (ByteRange{0_B, 9_B}));
  EXPECT_EQ(playlist.maps[2].uri, "1.mp4");
}

TEST(MediaPlaylist, DatesAreCarriedOnByDurations) {
  const MediaPlaylist playlist = media(
      "#EXTINF:2,\nbefore\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T01:00:00.100+01:00\n#EXTINF:2.0004,\na\n#EXTINF:2.0004,\nb\n"
      "#EXT-X-DISCONTINUITY\n#EXTINF:1,\nc\n#EXT-X-PROGRAM-DATE-TIME:2026-01-02T00:00:00Z\n#EXTINF:1,\nd\n#EXTINF:1,\ne\n"
      "#EXT-X-PROGRAM-DATE-TIME:noon\n#EXTINF:1,\nf\n#EXTINF:1,\ng\n");
  std::vector<std::string> dates;
  for (const MediaSegment& segment : playlist.segments) dates.push_back(segment.date ? utc_text(*segment.date) : "");
  // 2 x 2.0004 s is 4.001 s: what is rounded is the sum.
  EXPECT_EQ(dates, (std::vector<std::string>{"", "2026-01-01T00:00:00.100Z", "2026-01-01T00:00:02.100Z",
                                             "2026-01-01T00:00:04.101Z", "2026-01-02T00:00:00.000Z",
                                             "2026-01-02T00:00:01.000Z", "", ""}));
}

TEST(MediaPlaylist, DatesOfTenThousandSegmentsDoNotDrift) {
  const MediaPlaylist playlist =
      media("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n" + repeated("#EXTINF:2.0021,\na\n", 10'001));
  EXPECT_EQ(utc_text(*playlist.segments.back().date), "2026-01-01T05:33:41.000Z");
}

TEST(MediaPlaylist, AGapIsOfItsSegmentOnly) {
  const MediaPlaylist playlist = media("#EXT-X-GAP\n" + kSegment + kSegment + "#EXTINF:2,\n#EXT-X-GAP\nb\n");
  EXPECT_TRUE(playlist.segments.at(0).gap);
  EXPECT_FALSE(playlist.segments.at(1).gap);
  EXPECT_TRUE(playlist.segments.at(2).gap);
}

TEST(MediaPlaylist, ABitrateIsOfWholeFilesUntilTheNext) {
  const MediaPlaylist playlist =
      media(kSegment + "#EXT-X-BITRATE:1500\n" + kSegment + "#EXT-X-BYTERANGE:5@0\n" + kSegment + kSegment +
            "#EXT-X-BITRATE:900\n" + kSegment + "#EXT-X-BITRATE:?\n" + kSegment);
  std::vector<std::optional<DataRate>> rates;
  for (const MediaSegment& segment : playlist.segments) rates.push_back(segment.bitrate);
  EXPECT_EQ(rates, (std::vector<std::optional<DataRate>>{std::nullopt, 1500_kbps, std::nullopt, 1500_kbps, 900_kbps,
                                                         std::nullopt}));
}

TEST(MediaPlaylist, KeyFramesAndThumbnails) {
  EXPECT_TRUE(media("#EXT-X-I-FRAMES-ONLY\n" + kSegment).i_frames_only);
  const MediaPlaylist playlist = media(
      "#EXT-X-IMAGES-ONLY\n#EXTINF:6.006,\n#EXT-X-TILES:RESOLUTION=160x90,LAYOUT=5x4,DURATION=2.002\na.jpg\n#EXTINF:6.006,\nb.jpg\n"
      "#EXT-X-TILES:RESOLUTION=160x90\n#EXTINF:6.006,\nc.jpg\n");
  EXPECT_TRUE(playlist.images_only);
  EXPECT_EQ(playlist.segments.at(0).tiles, (Tiles{{160, 90}, {5, 4}, 2002ms}));
  EXPECT_EQ(playlist.segments.at(1).tiles, playlist.segments.at(0).tiles);
  EXPECT_EQ(playlist.segments.at(2).tiles, std::nullopt);
}

TEST(MediaPlaylist, OfLowLatencyWholeSegmentsAreListed) {
  const MediaPlaylist playlist = media(
      "#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,HOLD-BACK=12.0,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24\n"
      "#EXT-X-PART-INF:PART-TARGET=0.33334\n#EXT-X-PART:DURATION=0.33334,URI=\"p1.mp4\"\n#EXTINF:4.00008,\ns1.mp4\n"
      "#EXT-X-PART:DURATION=0.33334,URI=\"p2.mp4\",BYTERANGE=5\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p3.mp4\"\n"
      "#EXT-X-RENDITION-REPORT:URI=\"../1M/\",LAST-MSN=273\n");
  ASSERT_EQ(playlist.segments.size(), 1u);
  EXPECT_EQ(playlist.segments[0].uri, "s1.mp4");
  EXPECT_EQ(playlist.server_control, (ServerControl{true, 12s, 1s, 24s, 333'340us}));
}

TEST(MediaPlaylist, PartsBelongToTheSegmentBehindThemOrToTheOneThatIsBeingMade) {
  const MediaPlaylist playlist = media(
      "#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-MAP:URI=\"i.mp4\"\n"
      "#EXT-X-PART:DURATION=0.5,URI=\"7.0.mp4\",INDEPENDENT=YES\n#EXT-X-PART:DURATION=0.5,URI=\"7.1.mp4\"\n"
      "#EXTINF:1,\n7.mp4\n#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z\n"
      "#EXT-X-PART:DURATION=0.5,URI=\"8.0.mp4\",INDEPENDENT=YES\n#EXT-X-PART:DURATION=0.4,URI=\"8.1.mp4\",GAP=YES\n"
      "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"j.mp4\"\n"
      "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"8.mp4\",BYTERANGE-START=900,BYTERANGE-LENGTH=50\n");
  ASSERT_EQ(playlist.segments.size(), 1u);
  EXPECT_EQ(playlist.segments[0].parts,
            (std::vector<PartialSegment>{{"7.0.mp4", {}, 500ms, true, false}, {"7.1.mp4", {}, 500ms, false, false}}));
  ASSERT_TRUE(playlist.open);
  EXPECT_EQ(playlist.open->uri, "");
  EXPECT_EQ(playlist.open->sequence, 8u);
  EXPECT_EQ(playlist.open->duration, 900ms);
  EXPECT_EQ(playlist.open->map, 0u);
  EXPECT_EQ(playlist.open->date, calendar_time("2026-01-02T03:04:05Z"));
  EXPECT_EQ(playlist.open->parts,
            (std::vector<PartialSegment>{{"8.0.mp4", {}, 500ms, true, false}, {"8.1.mp4", {}, 400ms, false, true}}));
  EXPECT_EQ(playlist.preload_hint, (PreloadHint{"8.mp4", DataSize{900}, DataSize{50}}));
}

TEST(MediaPlaylist, ARangeOfAPartFollowsThatOfThePartBefore) {
  const MediaPlaylist playlist = media(
      "#EXT-X-PART:DURATION=1,URI=\"a\",BYTERANGE=\"50@20\"\n#EXT-X-PART:DURATION=1,URI=\"a\",BYTERANGE=\"30\"\n"
      "#EXTINF:2,\na\n#EXT-X-PART:DURATION=1,URI=\"b\",BYTERANGE=\"10\"\n");
  ASSERT_EQ(playlist.segments.at(0).parts.size(), 2u);
  EXPECT_EQ(playlist.segments[0].parts[1].range, (ByteRange{DataSize{70}, DataSize{100}}));
  EXPECT_EQ(playlist.open.value().parts.at(0).range, (ByteRange{DataSize{}, DataSize{10}}));
  EXPECT_EQ(refusal("#EXT-X-PART:DURATION=1,URI=\"a\"\n#EXT-X-PART:DURATION=1,URI=\"a\",BYTERANGE=\"30\"\n"),
            "line 3, EXT-X-PART: BYTERANGE has no offset, and the part before is no range of the same file");
  EXPECT_EQ(refusal("#EXT-X-PART:URI=\"a\"\n"), "line 2, EXT-X-PART: DURATION is missing");
}

TEST(MediaPlaylist, TheRestOfItsTags) {
  const MediaPlaylist playlist = media(
      "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-START:TIME-OFFSET=10.3\n#EXT-X-ALLOW-CACHE:NO\n#EXT-X-VERSION:NaN\n"
      "#EXT-X-DATERANGE:ID=\"unended\n#EXT-X-CUE-OUT:30\n#EXTVLCOPT:x\n" +
      kSegment);
  EXPECT_TRUE(playlist.independent_segments);
  EXPECT_EQ(playlist.start, (PlaylistStart{10300ms, false}));
  EXPECT_EQ(playlist.segments.size(), 1u);
}

TEST(MediaPlaylist, AnUnfinishedSegmentAtTheEndIsNotListed) {
  EXPECT_EQ(media(kSegment + "#EXTINF:2,\n#EXT-X-BYTERANGE:5\n").segments.size(), 1u);
}

TEST(MediaPlaylist, ADurationThatCannotBeReadIsThatOfThePlaylist) {
  const auto lasts = [](const std::string& text) {
    const auto segments = media("#EXT-X-TARGETDURATION:6\n" + text + "a\n").segments;
    return segments.empty() ? Duration{} : segments.back().duration;
  };
  EXPECT_EQ(lasts("#EXTINF:6e0,\n"), 6s);
  EXPECT_EQ(lasts("#EXTINF:4.5e-1\n"), 450ms);
  EXPECT_EQ(lasts("#EXTINF:4,004\n"), 4s);
  for (const char* const odd :
       {"", "#EXTINF:\n", "#EXTINF:NaN,\n", "#EXTINF:;asl))00,\n", "#EXTINF:-0.5,\n", "#EXTINF:99999999,\n"})
    EXPECT_EQ(lasts(odd), 6s) << odd;
  EXPECT_EQ(media(kSegment + "b\n").segments.at(1).duration, media(kSegment).segments.at(0).duration);
}

TEST(MediaPlaylist, WhatOnlyHelpsRefusesNothing) {
  for (const char* const odd :
       {"#EXT-X-TARGETDURATION:NaN\n", "#EXT-X-TARGETDURATION:0\n", "#EXT-X-TARGETDURATION:-1\n",
        "#EXT-X-TARGETDURATION:\n", "#EXT-X-VERSION:x\n", "#EXT-X-DISCONTINUITY-SEQUENCE:\n",
        "#EXT-X-MEDIA-SEQUENCE:\n", "#EXT-X-PLAYLIST-TYPE:vod\n"}) {
    const MediaPlaylist playlist = media(odd + kSegment);
    EXPECT_EQ(playlist.segments.size(), 1U) << odd;
    EXPECT_EQ(playlist.target_duration, playlist.segments.at(0).duration) << odd;
  }
}

TEST(MediaPlaylist, ErrorsNameTheirPlace) {
  EXPECT_EQ(refusal("#EXTINF:-1,Radio\nhttp://radio.example/\n"),
            "line 2, EXTINF: \"-1\" is not a duration from 0 to 86400 seconds");
  EXPECT_EQ(refusal("#EXT-X-BYTERANGE:x\n"), "line 2, EXT-X-BYTERANGE: \"x\" is not a range \"length@offset\"");
  EXPECT_EQ(refusal("#EXT-X-BYTERANGE:587500@\n"),
            "line 2, EXT-X-BYTERANGE: \"587500@\" is not a range \"length@offset\"");
  EXPECT_EQ(refusal("#EXT-X-MAP:BYTERANGE=\"5@0\"\n"), "line 2, EXT-X-MAP: URI is missing");
  EXPECT_EQ(refusal("#EXT-X-MAP:URI=\"a\",BYTERANGE=\"0@5\"\n"),
            "line 2, EXT-X-MAP: BYTERANGE=\"0@5\" is not a range \"length@offset\"");
  EXPECT_EQ(refusal("#EXT-X-MEDIA-SEQUENCE:gobblegobble\n"),
            "line 2, EXT-X-MEDIA-SEQUENCE: \"gobblegobble\" is not a sequence number");
  EXPECT_EQ(refusal("#EXT-X-MEDIA-SEQUENCE:-11\n"), "line 2, EXT-X-MEDIA-SEQUENCE: \"-11\" is not a sequence number");
  EXPECT_EQ(refusal("#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-MEDIA-SEQUENCE:11\n"),
            "line 3, EXT-X-MEDIA-SEQUENCE: 11 after 0: one of them is wrong");
  EXPECT_EQ(refusal("#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n"),
            "line 2, EXT-X-SKIP: the playlist leaves out segments that an earlier one had, and nobody asked for that");
}

TEST(MediaPlaylist, ListsHaveBounds) {
  EXPECT_EQ(refusal(repeated("#EXTINF:2,\na\n", kMaxSegments) + kSegment),
            "line 400003: at most 200000 segments are read");
  EXPECT_EQ(refusal(repeated("#EXTINF:86400,\na\n", 3661)), "line 7323: the segments last longer than 87840 hours");
  EXPECT_EQ(refusal(repeated("#EXT-X-MAP:URI=\"a\"\n#EXT-X-MAP:URI=\"b\"\n", kMaxInitSections / 2) +
                    "#EXT-X-MAP:URI=\"c\"\n"),
            "line 20002, EXT-X-MAP: at most 20000 init sections are read");
}

}  // namespace
}  // namespace tributary::hls
