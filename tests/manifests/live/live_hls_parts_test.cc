#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../manifest_files_of.hh"
#include "live_hls_title.hh"
#include "manifests/live/live_hls.hh"

namespace tributary::live_hls_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ManifestFiles;

/// Segments of 2 s from number 7 on, of which the last is whole, in parts of half a second; and parts of the one behind it.
std::string by_parts(int last, int open_parts, const std::string& control = ",CAN-BLOCK-RELOAD=YES") {
  std::string text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=1.5" + control +
                     "\n#EXT-X-PART-INF:PART-TARGET=0.5\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-MAP:URI=\"i.mp4\"\n";
  const auto parts = [&](int segment, int count) {
    for (int part = 0; part < count; ++part)
      text += fmt::format("#EXT-X-PART:DURATION=0.5,URI=\"{}.{}.mp4\"{}\n", segment, part,
                          part == 0 ? ",INDEPENDENT=YES" : "");
  };
  for (int segment = 7; segment <= last; ++segment) {
    if (segment >= last - 1) parts(segment, 4);
    text += fmt::format("#EXTINF:2,\n{}.mp4\n", segment);
  }
  parts(last + 1, open_parts);
  return text;
}

Opened opened_by_parts(const std::string& list, bool by_parts = true) {
  ManifestFiles files{{{"https://live.example/a/low/list.m3u8", list},
                       {"https://live.example/a/high/list.m3u8", list},
                       {"https://live.example/a/sound/list.m3u8", list}}};
  return open_manifest(kMaster, kUrl, files.fetch(), {.now = kStart, .sent = kStart, .by_parts = by_parts});
}

TEST(LiveHlsByParts, PartsAreSegmentsThatContinueTheOneBefore) {
  const Opened live = opened_by_parts(by_parts(9, 2));
  EXPECT_TRUE(live.presentation.in_parts);
  EXPECT_EQ(live.presentation.suggested_delay, Duration{1500ms});
  const Track& low = live.presentation.tracks.at(0);
  ASSERT_EQ(low.sizes.size(), 11U);  // 7 is whole; four parts each of 8 and 9, and two
  EXPECT_EQ(low.duration(SegmentIndex{0}), 2s);
  EXPECT_EQ(low.duration(SegmentIndex{1}), 500ms);
  EXPECT_EQ(low.segment(SegmentIndex{2}).uri, "https://live.example/a/low/8.1.mp4");
  EXPECT_EQ(low.continues, (std::vector<bool>{false, false, true, true, true, false, true, true, true, false, true}));
  EXPECT_THAT(live.presentation.tracks.at(2).continues, IsEmpty()) << "any sound can be decoded by itself";
}

TEST(LiveHlsByParts, WhoDoesNotAskForPartsGetsWholeSegments) {
  const Opened live = opened_by_parts(by_parts(9, 2), false);
  EXPECT_FALSE(live.presentation.in_parts);
  EXPECT_EQ(live.presentation.tracks.at(0).sizes.size(), 3U);
}

/// The second quality was fetched half a segment later.
TEST(LiveHlsByParts, PlaylistsOfDifferentMomentsAreCutAlike) {
  ManifestFiles files{{{"https://live.example/a/low/list.m3u8", by_parts(9, 2)},
                       {"https://live.example/a/high/list.m3u8", by_parts(10, 0)},
                       {"https://live.example/a/sound/list.m3u8", by_parts(10, 0)}}};
  const Opened live = open_manifest(kMaster, kUrl, files.fetch(), {.now = kStart, .sent = kStart, .by_parts = true});
  EXPECT_THAT(live.left_out, IsEmpty());
  ASSERT_EQ(live.presentation.tracks.size(), 3U);
  for (const std::size_t track : {0, 1}) {
    const Track& picture = live.presentation.tracks[track];
    ASSERT_EQ(picture.sizes.size(), 8U) << "7 and 8 are whole; four parts of 9, and two";
    EXPECT_EQ(picture.duration(SegmentIndex{1}), 2s);
    EXPECT_EQ(picture.duration(SegmentIndex{2}), 500ms);
  }
}

TEST(LiveHlsByParts, EncryptedSegmentsComeWhole) {
  std::string list = by_parts(9, 2);
  list.insert(list.find("#EXT-X-MAP"), "#EXT-X-KEY:METHOD=AES-128,URI=\"data:,0123456789abcdef\",IV=0x1\n");
  EXPECT_EQ(opened_by_parts(list).presentation.tracks.at(0).sizes.size(), 3U);
}

TEST(LiveHlsByParts, WhatIsPlayedIsAskedForPartByPartAndTheRestWhereASegmentBegins) {
  Opened live = opened_by_parts(by_parts(9, 2));
  live.live->manifest().play({0, 2});
  const std::string low = "https://live.example/a/low/list.m3u8", high = "https://live.example/a/high/list.m3u8",
                    sound = "https://live.example/a/sound/list.m3u8";
  EXPECT_THAT(due(live, 1ms), ElementsAre(low + "?_HLS_msn=10&_HLS_part=2", sound + "?_HLS_msn=10&_HLS_part=2"));
  const auto take = [&](const std::string& list, Duration since_start) {
    const std::vector<std::string> urls = due(live, since_start);
    std::vector<FetchedFile> files;
    for (const std::string& url : urls) files.push_back({.url = url, .bytes = list});
    live.live->manifest().take(files, at(since_start), at(since_start));
    return live.live->news(at(since_start)).added;
  };
  const auto third = take(by_parts(9, 3), 500ms);
  ASSERT_EQ(third.size(), 1U);
  EXPECT_EQ(third[0].start, 7s);
  EXPECT_EQ(third[0].tracks[0].place.uri, "https://live.example/a/low/10.2.mp4");
  EXPECT_TRUE(third[0].tracks[0].continues);
  EXPECT_EQ(take(by_parts(10, 0), 1s).size(), 1U);  // the segment is whole, which its last part makes
  EXPECT_THAT(due(live, 1001ms), ElementsAre(low + "?_HLS_msn=11&_HLS_part=0", high + "?_HLS_msn=11&_HLS_part=0",
                                             sound + "?_HLS_msn=11&_HLS_part=0"));
  const auto first = take(by_parts(10, 1), 1500ms);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_FALSE(first[0].tracks[0].continues);
  EXPECT_EQ(first[0].tracks[1].place.uri, "https://live.example/a/high/11.0.mp4");
}

/// An origin may list a whole segment with the first part of the next one only.
TEST(LiveHlsByParts, TheRestIsAskedForAtOnceWhenWhatIsPlayedListsTheNextSegment) {
  Opened live = opened_by_parts(by_parts(9, 4));
  live.live->manifest().play({0, 2});
  const std::string folder = "https://live.example/a/";
  const auto urls = due(live, 1ms);
  EXPECT_THAT(urls, ElementsAre(folder + "low/list.m3u8?_HLS_msn=10&_HLS_part=4",
                                folder + "sound/list.m3u8?_HLS_msn=10&_HLS_part=4"));
  const std::string next = by_parts(10, 1);
  const std::vector<FetchedFile> files{{.url = urls[0], .bytes = next}, {.url = urls[1], .bytes = next}};
  live.live->manifest().take(files, at(1ms), at(500ms));
  EXPECT_THAT(due(live, 500ms), ElementsAre(folder + "high/list.m3u8?_HLS_msn=11&_HLS_part=0"))
      << "not beside what the origin holds until the next part";
}

TEST(LiveHlsByParts, AnOriginThatCannotHoldAnswersIsLookedAtAgainAndAgain) {
  Opened live = opened_by_parts(by_parts(9, 2, ""));
  EXPECT_EQ(live.live->manifest().held(), Duration{});
  EXPECT_THAT(due(live, 300ms), IsEmpty());
  EXPECT_THAT(due(live, 375ms),
              ElementsAre("https://live.example/a/low/list.m3u8", "https://live.example/a/high/list.m3u8",
                          "https://live.example/a/sound/list.m3u8"));
}

TEST(LiveHlsByParts, APartThatNoVersionListedIsLost) {
  Opened live = opened_by_parts(by_parts(9, 2));
  std::string list = by_parts(14, 0);  // segment 10 is whole, and lists no parts any more
  std::vector<FetchedFile> files;
  for (const std::string& url : due(live, 1ms)) files.push_back({.url = url, .bytes = list});
  live.live->manifest().take(files, at(10s), at(10s));
  const auto added = live.live->news(at(10s)).added;
  ASSERT_GE(added.size(), 2U);
  EXPECT_TRUE(added[0].lost);
  EXPECT_EQ(added[0].start, 7s);
  EXPECT_EQ(added[0].duration, 1s);
  EXPECT_FALSE(added[1].lost);
}

}  // namespace
}  // namespace tributary::live_hls_test
