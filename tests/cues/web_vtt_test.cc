#include "cues/web_vtt.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

TEST(WebVtt, CuesHaveTimesAndMarkup) {
  const WebVtt vtt = read_web_vtt(
      "\xef\xbb\xbfWEBVTT a title\nKind: captions\n\n"
      "NOTE a comment\nof two lines\n\nSTYLE\n::cue { color: red }\n\n"
      "00:01.000 --> 00:02.500\nOne\n\n"
      "named\n00:02.000 --> 00:04.000 line:0 position:20%\nTwo, <i>slanted</i>\nand a line\n\n\n"
      "100:00:00.000 --> 100:00:01.000\nLate\n");
  const std::vector<Cue> expected{
      {1s, 2500ms, "One"}, {2s, 4s, "Two, <i>slanted</i>\nand a line"}, {100h, 100h + 1s, "Late"}};
  EXPECT_EQ(vtt.cues, expected);
  EXPECT_FALSE(vtt.zero);
}

TEST(WebVtt, LinesMayEndInEveryWay) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string text = "WEBVTT" + end + end + "00:01.000 --> 00:02.000" + end + "a" + end + "b" + end + end +
                       "00:03.000 --> 00:04.000" + end + "c";
    EXPECT_EQ(read_web_vtt(text).cues, (std::vector<Cue>{{1s, 2s, "a\nb"}, {3s, 4s, "c"}}));
  }
}

TEST(WebVtt, BlocksThatCannotBeReadAreLeftOut) {
  const WebVtt vtt = read_web_vtt(
      "WEBVTT\n\n00:01.000 --> 00:01.000\nno time\n\n1:02 --> 3\nno fraction\n\n00:61.000 --> 00:62.000\nno minute\n\n"
      "00:02.000 --> 00:03.000\n\n00:04.000 --> 00:05.000\ngood\n00:06.000 --> 00:07.000\nwithout a line between");
  EXPECT_EQ(vtt.cues, (std::vector<Cue>{{4s, 5s, "good"}, {6s, 7s, "without a line between"}}));
}

TEST(WebVtt, OtherTextsAreRefused) {
  for (const char* text : {"", "<html>", "WEBVTTX\n\n", "1\n00:00:01,000 --> 00:00:02,000\nSubRip\n"})
    EXPECT_THROW(read_web_vtt(text), TextError) << text;
  EXPECT_TRUE(read_web_vtt("WEBVTT").cues.empty());
}

TEST(WebVtt, TheTimestampMapMayStandEitherWay) {
  const auto zero = [](const std::string& line) { return read_web_vtt("WEBVTT\n" + line + "\n\n").zero; };
  EXPECT_EQ(zero("X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000"), 10s);
  EXPECT_EQ(zero("X-TIMESTAMP-MAP=LOCAL:00:00:04.000,MPEGTS:900000"), 6s);
  EXPECT_EQ(zero("X-TIMESTAMP-MAP=LOCAL:01:00:00.000, MPEGTS:0"), -1h);
  EXPECT_EQ(zero("X-TIMESTAMP-MAP=MPEGTS:8589934682,LOCAL:00:00:00.000"), 1ms);  // 2^33 + 90
  EXPECT_EQ(zero("X-TIMESTAMP-MAP=MPEGTS:x,LOCAL:00:00:00.000"), std::nullopt);
  EXPECT_EQ(zero("X-TIMESTAMP-MAP=MPEGTS:1"), std::nullopt);
}

TEST(WebVtt, MarkupIsAlwaysWhole) {
  EXPECT_EQ(cue_markup("<b>a <i>b</b> c</i> d"), "<b>a <i>b</i></b> c d");
  EXPECT_EQ(cue_markup("<v.loud Fred>Hi</v> <lang en>there</lang>"), "Hi there");
  EXPECT_EQ(cue_markup("<c.yellow.bg_blue>Y</c><c.white>W</c>"), "<span foreground=\"#ffff00\">Y</span>W");
  EXPECT_EQ(cue_markup("one<00:00:01.000><c>two"), "onetwo");
  EXPECT_EQ(cue_markup("a < b"), "a");
  EXPECT_EQ(cue_markup("</b></i>x<b"), "x<b></b>");
  EXPECT_EQ(cue_markup("R&D &lt;i&gt; &amp;lt; &#233;&#x20ac; &bogus; &nbsp;."),
            "R&amp;D &lt;i&gt; &amp;lt; \u00e9\u20ac &amp;bogus; \u00a0.");
  EXPECT_EQ(cue_markup("bad \xff\xc3(\xed\xa0\x80 bytes\x01"), "bad \ufffd\ufffd(\ufffd\ufffd\ufffd bytes");
}

}  // namespace
}  // namespace tributary
