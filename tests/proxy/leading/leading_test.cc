#include "proxy/leading/leading.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "proxy/rewriting/mpd_rewriting.hh"
#include "proxy/rewriting/playlist_rewriting.hh"

namespace tributary::proxy {
namespace {

using std::chrono::milliseconds;

constexpr UtcTime kNow{milliseconds{1'704'067'800'000}};  // 2024-01-01T00:10:00Z
constexpr auto kMaster = "https://cdn.example/film/master.m3u8";

std::string url(const std::string& name) { return "https://cdn.example/film/" + name; }

constexpr auto kHead = "#EXTM3U\n#EXT-X-INDEPENDENT-SEGMENTS\n";
constexpr auto kSounds = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",DEFAULT=YES,URI=\"sound.m3u8\"\n";
constexpr auto kLow =
    "#EXT-X-STREAM-INF:BANDWIDTH=700000,RESOLUTION=320x180,CODECS=\"avc1.64000d,mp4a.40.2\",AUDIO=\"a\"\nlow.m3u8\n";
constexpr auto kHigh =
    "#EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1280x720,CODECS=\"avc1.64001f,mp4a.40.2\",X-NEW=1,AUDIO=\"a\"\n# a "
    "comment\nhigh.m3u8\n";
constexpr auto kHevc =
    "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS=\"hvc1.1.6.L93.B0,mp4a.40.2\",AUDIO=\"a\"\nhevc.m3u8\n";
constexpr auto kSoundOnly = "#EXT-X-STREAM-INF:BANDWIDTH=130000,CODECS=\"mp4a.40.2\",AUDIO=\"a\"\nsound.m3u8\n";
constexpr auto kTail = "#EXT-X-UNKNOWN:A=1\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,URI=\"i.m3u8\"\n";

struct Playlist {
  int first = 0, segments = 3;
  std::string key{}, range{}, before{};  // lines
  bool ended = true;
};
std::string playlist(const std::string& name, const Playlist& p = {}) {
  std::string text =
      fmt::format("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:{}\n{}{}", p.first, p.key, p.before);
  for (int i = 0; i < p.segments; ++i) text += fmt::format("#EXTINF:4.0,\n{}{}-{}.ts\n", p.range, name, p.first + i);
  return text + (p.ended ? "#EXT-X-ENDLIST\n" : "");
}

/// A title whose manifests are taken in as the proxy does.
struct Title {
  TitleFiles files{"/1"};
  Leading leading{files};

  std::string take(const std::string& text, const std::string& name) { return files.take_in(text, url(name)).text; }
  void agree(const std::optional<std::string>& why_not = std::nullopt) {
    for (const auto& doubt : leading.doubts(kMaster, kNow)) leading.judge(doubt, why_not);
  }
  std::vector<std::string> qualities(const std::string& name) const {
    const auto file = files.file(url(name), std::nullopt, kNow);
    std::vector<std::string> names;
    if (file) {
      for (const MediaFile& quality : leading.qualities(*file, kNow)) names.push_back(quality.url.substr(25));
    }
    return names;
  }
  std::string why_not() const { return leading.offer(kMaster, kNow).why_not.value_or("it is led"); }
};

Title led(const Playlist& low = {}, const Playlist& high = {}) {
  Title title;
  title.take(std::string{kHead} + kLow + kHigh, "master.m3u8");
  title.take(playlist("low", low), "low.m3u8");
  title.take(playlist("high", high), "high.m3u8");
  return title;
}

TEST(LeadingHls, OnePictureOfEachKindOfCodecIsOfferedAndTheRestOfTheTextSurvives) {
  Title title;
  const std::string text =
      title.take(std::string{kHead} + kSoundOnly + kSounds + kLow + kHevc + kHigh + kTail, "master.m3u8");
  EXPECT_EQ(title.leading.playlists_for(kMaster), (std::vector{url("low.m3u8"), url("high.m3u8")}));
  title.take(playlist("low"), "low.m3u8");
  title.take(playlist("high"), "high.m3u8");
  EXPECT_TRUE(title.leading.playlists_for(kMaster).empty());
  title.agree();
  const auto offer = title.leading.offer(kMaster, kNow);
  EXPECT_EQ(offer.why_not, std::nullopt);
  EXPECT_EQ(
      without_variants(text, offer.left_out),
      std::string{kHead} + kSounds + kHevc +
          "#EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1280x720,CODECS=\"avc1.64001f,mp4a.40.2\",X-NEW=1,AUDIO=\"a\"\n# a comment\nhigh.m3u8\n" +
          kTail);
}

TEST(LeadingHls, TheSameSegmentOfEachQualityStandsForTheHighest) {
  Title title = led();
  EXPECT_TRUE(title.qualities("high-1.ts").empty());  // nobody has compared them
  title.agree();
  EXPECT_EQ(title.qualities("high-1.ts"), (std::vector<std::string>{"low-1.ts", "high-1.ts"}));
  EXPECT_TRUE(title.qualities("low-1.ts").empty());
  EXPECT_EQ(title.leading.rungs(kMaster, kNow).size(), 2U);
  EXPECT_EQ(title.why_not(), "it is led");
}

TEST(LeadingHls, WhatCannotStandForItIsTold) {
  Title title = led();
  title.agree("they are coded in different ways");
  EXPECT_TRUE(title.qualities("high-1.ts").empty());
  EXPECT_EQ(title.why_not(), "they are coded in different ways");
}

TEST(LeadingHls, SegmentsMustBeCutAtTheSamePlaces) {
  Title title = led({.before = "#EXTINF:2,\nlow-first.ts\n"});
  title.agree();
  EXPECT_EQ(title.why_not(), "its qualities are cut at different places");
}

TEST(LeadingHls, KeysMustBeTheSame) {
  const auto key = [](const std::string& name) {
    return Playlist{.key = "#EXT-X-KEY:METHOD=AES-128,URI=\"" + name + "\"\n"};
  };
  Title different = led(key("low.key"), key("high.key"));
  different.agree();
  EXPECT_EQ(different.why_not(), "its qualities are encrypted with different keys or vectors");
  Title same = led(key("a.key"), key("a.key"));
  same.agree();
  EXPECT_EQ(same.qualities("high-2.ts").size(), 2U);
  // The vector follows from the number, which is another one.
  Title shifted = led({.first = 5, .key = key("a.key").key}, key("a.key"));
  shifted.agree();
  EXPECT_EQ(shifted.why_not(), "its qualities are encrypted with different keys or vectors");
}

TEST(LeadingHls, InitSegmentsWithinTheirAddressesAreCompared) {
  const auto map = [](const std::string& data) {
    return Playlist{.key = "#EXT-X-KEY:METHOD=AES-128,URI=\"a.key\",IV=0x1\n#EXT-X-MAP:URI=\"data:," + data + "\"\n"};
  };
  const Title title = led(map("low"), map("high"));
  const auto doubts = title.leading.doubts(kMaster, kNow);
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_EQ(doubts.front().announced_init.value().url, "data:,high");
  EXPECT_EQ(doubts.front().other_init.value().url, "data:,low");
  EXPECT_FALSE(title.files.init_of(url("high.m3u8"), kNow)) << "nothing is to be fetched ahead";
}

TEST(LeadingHls, PartsOfOneFileCannotBeReplaced) {
  Title title = led({}, {.range = "#EXT-X-BYTERANGE:1000@0\n"});
  title.agree();
  EXPECT_EQ(title.why_not(), "its segments are parts of one file");
}

TEST(LeadingHls, LiveSegmentsAreFoundByTheirNumbersOrDates) {
  Title numbers = led({.first = 10, .ended = false}, {.first = 11, .ended = false});
  numbers.agree();
  EXPECT_EQ(numbers.qualities("high-12.ts"), (std::vector<std::string>{"low-12.ts", "high-12.ts"}));
  EXPECT_TRUE(numbers.qualities("high-13.ts").empty());  // the other playlist is older
  EXPECT_EQ(numbers.leading.playlists_for(url("high.m3u8")), std::vector{url("low.m3u8")});
  numbers.take(playlist("low", {.first = 11, .ended = false}), "low.m3u8");
  EXPECT_EQ(numbers.qualities("high-13.ts"), (std::vector<std::string>{"low-13.ts", "high-13.ts"}));

  const auto from = [](int first, const std::string& time) {
    return Playlist{
        .first = first, .before = "#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:" + time + "Z\n", .ended = false};
  };
  Title dates = led(from(7, "04.040"), from(100, "00.000"));
  dates.agree();
  EXPECT_EQ(dates.qualities("high-101.ts"), (std::vector<std::string>{"low-7.ts", "high-101.ts"}));
  EXPECT_TRUE(dates.qualities("high-100.ts").empty());
}

TEST(LeadingHls, ATitleOfOneQualityIsNotLed) {
  Title title;
  title.take(std::string{kHead} + kHigh, "master.m3u8");
  EXPECT_TRUE(title.leading.playlists_for(kMaster).empty());
  EXPECT_EQ(title.why_not(), "it has one quality");
}

constexpr auto kMpdName = "film.mpd";
std::string mpd(const std::string& high_timeline) {
  return fmt::format(
      R"(<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT8S"><Period>
<AdaptationSet contentType="video" mimeType="video/mp4" x:new="1" xmlns:x="urn:x"><!-- kept -->
<Representation id="low" bandwidth="500000" codecs="avc3.64000d"><SegmentTemplate timescale="1" media="$RepresentationID$-$Number$.m4s" initialization="$RepresentationID$-init.mp4"><SegmentTimeline><S t="0" d="4" r="1"/></SegmentTimeline></SegmentTemplate></Representation>
<Representation id="high" bandwidth="3000000" codecs="avc3.64001f"><SegmentTemplate timescale="1" media="$RepresentationID$-$Number$.m4s" initialization="$RepresentationID$-init.mp4"><SegmentTimeline>{}</SegmentTimeline></SegmentTemplate></Representation>
</AdaptationSet>
<AdaptationSet contentType="audio" mimeType="audio/mp4"><Representation id="sound" bandwidth="96000" codecs="mp4a.40.2"><SegmentTemplate timescale="1" media="sound-$Number$.m4s" initialization="sound-init.mp4" duration="4"/></Representation></AdaptationSet>
</Period></MPD>)",
      high_timeline);
}

TEST(LeadingDash, OneRepresentationIsOfferedAndTheRestOfTheTextSurvives) {
  Title title;
  const std::string name = url(kMpdName), text = title.take(mpd(R"(<S t="0" d="4" r="1"/>)"), kMpdName);
  EXPECT_TRUE(title.leading.playlists_for(name).empty());
  const auto doubts = title.leading.doubts(name, kNow);
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_EQ(doubts.front().announced_init->url, url("high-init.mp4"));
  EXPECT_EQ(doubts.front().other.url, url("low-1.m4s"));
  title.leading.judge(doubts.front(), std::nullopt);
  EXPECT_TRUE(title.leading.doubts(name, kNow).empty());
  EXPECT_EQ(title.qualities("high-2.m4s"), (std::vector<std::string>{"low-2.m4s", "high-2.m4s"}));
  const std::string offered = without_representations(text, title.leading.offer(name, kNow).left_out);
  EXPECT_EQ(offered.find("\"low\""), std::string::npos);
  const std::size_t begin = text.find("<Representation id=\"low\""), end = text.find("<Representation id=\"high\"");
  EXPECT_EQ(offered.substr(0, begin), text.substr(0, begin));
  EXPECT_EQ(offered.substr(offered.find("<Representation id=\"high\"")), text.substr(end));
}

TEST(LeadingDash, SegmentsMustBeCutAtTheSamePlaces) {
  Title title;
  title.take(mpd(R"(<S t="0" d="3"/><S d="5"/>)"), kMpdName);
  EXPECT_EQ(title.leading.offer(url(kMpdName), kNow).why_not, "its qualities are cut at different places");
}

}  // namespace
}  // namespace tributary::proxy
