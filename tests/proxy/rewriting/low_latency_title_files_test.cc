#include <fmt/format.h>
#include <gtest/gtest.h>

#include "proxy/rewriting/live_edge.hh"
#include "proxy/rewriting/title_files.hh"
#include "title_files_samples.hh"

namespace tributary::proxy {
namespace {

using namespace literals;
using samples::kNow;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto kList = "https://cdn.example/live/list.m3u8";

std::string at(const std::string& name) { return "https://cdn.example/live/" + name; }

constexpr auto kHead =
    "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PART-INF:PART-TARGET=0.5\n"
    "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,PART-HOLD-BACK=1.5\n";

/// Segments 7 and 8, and two parts of 9.
std::string whole_list() {
  return std::string{kHead} +
         "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:2,\n7.mp4\n"
         "#EXT-X-PART:DURATION=0.5,URI=\"8.3.mp4\"\n#EXTINF:2,\n8.mp4\n"
         "#EXT-X-PART:DURATION=0.5,URI=\"9.0.mp4\",INDEPENDENT=YES\n#EXT-X-PART:DURATION=0.5,URI=\"9.1.mp4\"\n"
         "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"9.2.mp4\"\n"
         "#EXT-X-RENDITION-REPORT:URI=\"https://other.example/low.m3u8\",LAST-MSN=9,LAST-PART=1\n";
}

TEST(TitleFilesOfLowLatency, HaveLocalNamesForParts) {
  TitleFiles files{"/1"};
  const auto text =
      files
          .take_in(std::string{kHead} +
                       "#EXTINF:2,\n1.mp4\n#EXT-X-PART:DURATION=0.5,URI=\"https://parts.example/2.mp4?t=1\","
                       "BYTERANGE=\"50@0\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"/2.mp4?t=1\",BYTERANGE-START=50\n"
                       "#EXT-X-RENDITION-REPORT:URI=\"../low.m3u8?t=1\",LAST-MSN=2\n",
                   kList)
          .text;
  EXPECT_NE(text.find("URI=\"/1/1/2.mp4?0\",BYTERANGE=\"50@0\""), std::string::npos) << text;
  EXPECT_NE(text.find("URI=\"/1/0/2.mp4?0\",BYTERANGE-START=50"), std::string::npos) << text;
  EXPECT_NE(text.find("URI=\"../low.m3u8?0\",LAST-MSN=2"), std::string::npos) << text;
}

TEST(TitleFilesOfLowLatency, KnowPartsInTheirOrder) {
  TitleFiles files{"/1"};
  files.take_in(whole_list(), kList);
  const auto part = files.file(at("8.3.mp4"), {}, kNow);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->duration, milliseconds{500});
  const auto next = files.next(*part, kNow);
  EXPECT_EQ(next->url, at("9.0.mp4"));
  const auto last = files.file(at("9.1.mp4"), {}, kNow);
  EXPECT_FALSE(last->announced);
  const auto announced = files.next(*last, kNow);
  EXPECT_EQ(announced->url, at("9.2.mp4"));
  EXPECT_TRUE(announced->announced);
  EXPECT_EQ(announced->grid.number, last->grid.number + 1);
  EXPECT_EQ(files.next(*files.file(at("7.mp4"), {}, kNow), kNow)->url, at("8.mp4")) << "no part is behind a segment";
}

TEST(TitleFilesOfLowLatency, KnowPartsThatAreRanges) {
  TitleFiles files{"/1"};
  files.take_in(std::string{kHead} +
                    "#EXTINF:2,\n1.mp4\n#EXT-X-PART:DURATION=0.5,URI=\"2.mp4\",BYTERANGE=\"50@0\"\n"
                    "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"2.mp4\",BYTERANGE-START=50\n",
                kList);
  const auto part = files.file(at("2.mp4"), ByteRange{0_B, 50_B}, kNow);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->size, 50_B);
  EXPECT_FALSE(part->announced);
  EXPECT_TRUE(files.file(at("2.mp4"), ByteRange{50_B, 51_B}, kNow)->announced);
}

TEST(TitleFilesOfLowLatency, KnowWhatADeltaLeavesOut) {
  TitleFiles files{"/1"};
  files.take_in(whole_list(), kList);
  const std::string delta = std::string{kHead} +
                            "#EXT-X-MEDIA-SEQUENCE:8\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:2,\n9.mp4\n"
                            "#EXT-X-PART:DURATION=0.5,URI=\"10.0.mp4\"\n";
  EXPECT_EQ(files.take_in(delta, std::string{kList} + "?_HLS_msn=10&_HLS_part=0&_HLS_skip=YES").text, delta);
  EXPECT_TRUE(files.file(at("10.0.mp4"), {}, kNow));
  EXPECT_EQ(files.file(at("7.mp4"), {}, kNow), std::nullopt) << "it has left the window";
  const auto skipped = files.file(at("8.mp4"), {}, kNow);
  ASSERT_TRUE(skipped);
  EXPECT_EQ(files.next(*skipped, kNow)->url, at("9.mp4"));
  EXPECT_EQ(files.next(*skipped, kNow)->grid.init, skipped->grid.init);
  EXPECT_EQ(files.init_of(kList, kNow)->url, at("init.mp4"));
}

TEST(TitleFilesOfLowLatency, KnowHowLongAnAnswerIsHeld) {
  TitleFiles files{"/1"};
  files.take_in(whole_list(), kList);
  const auto held = [&](const std::string& directives) { return files.held_for(kList + directives); };
  EXPECT_EQ(held(""), seconds{0});
  EXPECT_EQ(held("?_HLS_msn=9&_HLS_part=1"), milliseconds{750}) << "it is there, or will be in a moment";
  EXPECT_EQ(held("?_HLS_msn=9&_HLS_part=2&_HLS_skip=YES"), milliseconds{750}) << "a part, and half of one";
  EXPECT_EQ(held("?_HLS_msn=9&_HLS_part=3"), milliseconds{1'250});
  EXPECT_EQ(held("?_HLS_msn=9"), milliseconds{1'250}) << "the rest of the segment";
  EXPECT_EQ(held("?_HLS_msn=8"), seconds{0});
  EXPECT_EQ(held("?_HLS_msn=99999999999999999"), milliseconds{6'250});
  EXPECT_EQ(held("?_HLS_msn=10&_HLS_part=99999999999999999"), milliseconds{6'250});
  EXPECT_EQ(files.held_for(at("other.m3u8?_HLS_msn=9")), seconds{0});
}

TEST(TitleFilesOfLowLatency, KnowSegmentsOfAnMpdThatAreBeingMade) {
  TitleFiles files{"/1"};
  const auto mpd = [](const char* complete) {
    return fmt::format(
        "<MPD type=\"dynamic\" availabilityStartTime=\"2024-01-01T00:00:00Z\"><Period start=\"PT0S\"><AdaptationSet "
        "mimeType=\"video/mp4\"><SegmentTemplate duration=\"2\" media=\"$Number$.m4s\" availabilityTimeOffset=\"1.5\"{}/>"
        "<Representation id=\"v\" bandwidth=\"800000\"/></AdaptationSet></Period></MPD>",
        complete);
  };
  files.take_in(mpd(" availabilityTimeComplete=\"false\""), kList);
  // Segment 301 is from 600 s to 602 s.
  const UtcTime now = kNow + milliseconds{600};
  EXPECT_EQ(files.file(at("301.m4s"), {}, now)->made_until, kNow + seconds{2});
  EXPECT_GT(files.file(at("302.m4s"), {}, now)->made_until, kNow + seconds{4}) << "a player's clock is ahead";
  files.take_in(mpd(""), kList);
  EXPECT_EQ(files.file(at("301.m4s"), {}, now)->made_until, std::nullopt);
}

}  // namespace
}  // namespace tributary::proxy
