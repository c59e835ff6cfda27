#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hls/media_playlist.hh"
#include "playlist_texts.hh"

namespace tributary::hls {
namespace {

using namespace std::chrono_literals;

/// Segments of a stream with all that holds for more than one of them: dates, keys, init sections, ranges without offsets,
/// discontinuities. Segments 0 to 19.
std::string segment_text(int number) {
  std::string text;
  if (number == 0) text += "#EXT-X-MAP:URI=\"i0.mp4\"\n#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z\n";
  if (number == 2) text += "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x2\n";
  if (number == 4) text += "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"i4.mp4\"\n#EXT-X-BITRATE:300\n";
  if (number == 9) text += "#EXT-X-KEY:METHOD=NONE\n#EXT-X-DISCONTINUITY\n";
  if (number == 13) text += "#EXT-X-KEY:METHOD=AES-128,URI=\"k13\",IV=0x3\n#EXT-X-MAP:URI=\"i13.mp4\"\n";
  if (number >= 5 && number < 12) text += number == 5 ? "#EXT-X-BYTERANGE:100@50\n" : "#EXT-X-BYTERANGE:100\n";
  return text + fmt::format("#EXTINF:1.9666667,\n{}.mp4\n", number >= 5 && number < 12 ? 5 : number);
}

std::string head(int first) {
  const int discontinuities = (first > 4 ? 1 : 0) + (first > 9 ? 1 : 0);
  return fmt::format(
      "#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:{}\n#EXT-X-DISCONTINUITY-SEQUENCE:{}\n"
      "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12\n",
      first, discontinuities);
}

/// Segments from `first` on up to `end`, of which the first ones are left out.
std::string delta(int first, int skipped, int end) {
  std::string text = head(first) + fmt::format("#EXT-X-SKIP:SKIPPED-SEGMENTS={}\n", skipped);
  for (int number = first + skipped; number < end; ++number) text += segment_text(number);
  return text;
}

MediaPlaylist whole(int end) {
  std::string text = head(0);
  for (int number = 0; number < end; ++number) text += segment_text(number);
  return media(text);
}

MediaPlaylist media_behind(const MediaPlaylist& before, const std::string& lines) {
  return std::get<MediaPlaylist>(read_playlist("#EXTM3U\n" + lines, {}, &before));
}

std::string refusal_behind(const MediaPlaylist& before, const std::string& lines) {
  return testing::refusal_by<PlaylistError>([&] { media_behind(before, lines); });
}

void expect_same_segments(const MediaPlaylist& a, const MediaPlaylist& b) {
  ASSERT_EQ(a.segments.size(), b.segments.size());
  for (std::size_t i = 0; i < a.segments.size(); ++i) {
    MediaSegment one = a.segments[i], other = b.segments[i];
    SCOPED_TRACE(one.sequence);
    ASSERT_EQ(one.map.has_value(), other.map.has_value());
    ASSERT_EQ(one.key.has_value(), other.key.has_value());
    if (one.map) {
      EXPECT_EQ(a.maps.at(*one.map).uri, b.maps.at(*other.map).uri);
    }
    if (one.key) {
      EXPECT_EQ(a.keys.at(*one.key), b.keys.at(*other.key));
    }
    one.map = other.map = {};
    one.key = other.key = {};
    EXPECT_EQ(one, other);
  }
}

TEST(DeltaUpdate, IsWhatTheWholePlaylistWouldBe) {
  for (int known = 2; known < 20; ++known) {
    for (int skipped = 1; skipped <= known; ++skipped) {
      const MediaPlaylist read = media_behind(whole(known), delta(0, skipped, 20));
      EXPECT_EQ(read.skipped, static_cast<std::size_t>(skipped));
      expect_same_segments(read, whole(20));
    }
  }
}

TEST(DeltaUpdate, GoesOnFromAnotherForHours) {
  MediaPlaylist version = whole(20);
  for (int round = 0; round < 2000; ++round) {
    const int first = round + 1;
    std::string text = fmt::format(
        "#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:{}\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12\n"
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=19\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"{}.init\"\n#EXTINF:1.9666667,\n{}.mp4\n",
        first, first, first + 19);
    version = media_behind(version, text);
  }
  EXPECT_EQ(version.segments.size(), 20U);
  EXPECT_EQ(version.segments.back().sequence, 2019U);
  EXPECT_LE(version.maps.size(), 20U) << "of segments that are not listed any more";
  const auto since_first = std::chrono::round<std::chrono::milliseconds>(2019 * Duration{1'966'666'700});
  EXPECT_EQ(version.segments.back().date, *calendar_time("2026-01-02T03:04:05Z") + since_first) << "no error adds up";
}

TEST(DeltaUpdate, SegmentsLeaveWhileOthersAreLeftOut) {
  const MediaPlaylist read = media_behind(whole(15), delta(6, 5, 20));
  ASSERT_EQ(read.segments.size(), 14U);
  EXPECT_EQ(read.segments.front().sequence, 6U);
  EXPECT_EQ(read.segments.front().range, (ByteRange{DataSize{150}, DataSize{250}}));
  EXPECT_EQ(read.segments.back().sequence, 19U);
  EXPECT_EQ(read.segments.back().discontinuity, 2U);
}

TEST(DeltaUpdate, OneThatLeavesOutWhatNobodyKnowsIsRefused) {
  const MediaPlaylist before = whole(10);
  const std::string kUnknown = "the playlist leaves out segments that the version before did not list";
  EXPECT_EQ(refusal_behind(before, delta(0, 11, 20)), "line 6, EXT-X-SKIP: " + kUnknown);
  EXPECT_EQ(refusal_behind(before, delta(8, 3, 20)), "line 6, EXT-X-SKIP: " + kUnknown);
  EXPECT_EQ(refusal_behind(before, delta(30, 1, 32)), "line 6, EXT-X-SKIP: " + kUnknown);
  EXPECT_EQ(refusal_behind(media_behind(before, delta(3, 2, 10)), delta(0, 4, 20)), "line 6, EXT-X-SKIP: " + kUnknown);
  EXPECT_EQ(refusal_behind(before, "#EXT-X-SKIP:SKIPPED-SEGMENTS=4611686018427387904\n"),
            "line 2, EXT-X-SKIP: SKIPPED-SEGMENTS=\"4611686018427387904\" is not a number of segments");
  EXPECT_EQ(refusal_behind(before, "#EXT-X-SKIP:SKIPPED-SEGMENTS=9\n#EXT-X-MEDIA-SEQUENCE:5\n"),
            "line 3, EXT-X-MEDIA-SEQUENCE: 5 after 0: one of them is wrong");
}

TEST(DeltaUpdate, WhatContradictsTheVersionBeforeIsRefused) {
  const MediaPlaylist before = whole(10);
  EXPECT_EQ(refusal_behind(before, "#EXT-X-MAP:URI=\"other.mp4\"\n" + delta(0, 3, 12)),
            "line 7, EXT-X-SKIP: another key or init section than that of the version before is in force");
  EXPECT_EQ(media_behind(before, "#EXT-X-MAP:URI=\"i0.mp4\"\n" + delta(0, 2, 12)).segments.size(), 12U)
      << "some servers repeat the init section";
  EXPECT_EQ(refusal_behind(before, "#EXT-X-DISCONTINUITY-SEQUENCE:7\n#EXT-X-SKIP:SKIPPED-SEGMENTS=9\n"),
            "EXT-X-SKIP: the version before has other discontinuity sequence numbers");
  EXPECT_EQ(refusal_behind(before, kSegment + "#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n"),
            "line 4, EXT-X-SKIP: the segments that are left out stand before all others");
}

TEST(DeltaUpdate, DaterangesAndNoSegmentsMayBeLeftOut) {
  const MediaPlaylist before = whole(10);
  const MediaPlaylist read = media_behind(
      before, head(0) + "#EXT-X-SKIP:SKIPPED-SEGMENTS=10,RECENTLY-REMOVED-DATERANGES=\"a\tb\"\n" + segment_text(10));
  EXPECT_EQ(read.segments.size(), 11U);
  EXPECT_EQ(media_behind(before, "#EXT-X-SKIP:SKIPPED-SEGMENTS=0\n" + kSegment).segments.size(), 1U);
}

TEST(RenditionReports, TellHowFarOtherPlaylistsHaveCome) {
  const MediaPlaylist playlist =
      media(kSegment +
            "#EXT-X-RENDITION-REPORT:URI=\"../high.m3u8\",LAST-MSN=41,LAST-PART=2\n"
            "#EXT-X-RENDITION-REPORT:URI=\"sound.m3u8\",LAST-MSN=40\n"
            "#EXT-X-RENDITION-REPORT:URI=\"\",LAST-MSN=40\n#EXT-X-RENDITION-REPORT:URI=\"x\",LAST-MSN=many\n");
  EXPECT_EQ(playlist.reports, (std::vector<RenditionReport>{{"../high.m3u8", 41, 2}, {"sound.m3u8", 40, {}}}));
}

}  // namespace
}  // namespace tributary::hls
