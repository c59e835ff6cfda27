#include "gst/pipeline/subtitles.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr const char* kText =
    "WEBVTT\n\n"
    "00:01.000 --> 00:02.500\nOne\n\n"
    "named\n00:02.000 --> 00:04.000 line:0\nTwo, <i>slanted</i>\nand a line\n\n"
    "01:00:00.000 --> 01:00:01.000\nAn hour &amp; <b>more</b>\n";

TEST(Subtitles, AreShownFromTheirBeginningToTheirEnd) {
  const Cues cues = parse_subtitles(kText);
  EXPECT_EQ(cues.size(), 3u);
  EXPECT_EQ(cues.at(0s), "");
  EXPECT_EQ(cues.at(999ms), "");
  EXPECT_EQ(cues.at(1s), "One");
  EXPECT_EQ(cues.at(2s), "One\nTwo, <i>slanted</i>\nand a line");
  EXPECT_EQ(cues.at(2500ms), "Two, <i>slanted</i>\nand a line");
  EXPECT_EQ(cues.at(4s), "");
  EXPECT_EQ(cues.at(1h), "An hour &amp; <b>more</b>");
}

TEST(Subtitles, EntitiesStandForWhatTheyMean) {
  const auto shown = [](const std::string& text) {
    return parse_subtitles("WEBVTT\n\n00:00.000 --> 00:01.000\n" + text + "\n").at(0s);
  };
  EXPECT_EQ(shown("a &lt;b&gt; &amp;&amp; c"), "a &lt;b&gt; &amp;&amp; c");
  EXPECT_EQ(shown("R&D"), "R&amp;D");
  EXPECT_EQ(shown("&amp;lt;"), "&amp;lt;");
}

TEST(Subtitles, WhatIsNotWebVttIsRefused) {
  EXPECT_THROW(parse_subtitles(""), std::runtime_error);
  EXPECT_THROW(parse_subtitles("<html>"), std::runtime_error);
  EXPECT_EQ(parse_subtitles("WEBVTT\n").size(), 0u);
}

TEST(Cues, ThoseThatLastLongAreFoundAmongShortOnes) {
  std::vector<Cue> cues{{0s, 100s, "always"}};
  for (int i = 0; i < 50; ++i) cues.push_back({i * 2s, i * 2s + 1s, std::to_string(i)});
  EXPECT_EQ(Cues{cues}.at(90500ms), "always\n45");
  EXPECT_EQ(Cues{cues}.at(91500ms), "always");
  EXPECT_EQ(Cues{}.at(1s), "");
}

}  // namespace
}  // namespace tributary
