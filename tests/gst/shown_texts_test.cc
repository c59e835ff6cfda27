#include "gst/texts/shown_texts.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

std::string shown_in(const Cues& cues, Duration time) { return shown_at(time, {{&cues, 0s, 0s}}); }

TEST(ShownTexts, CuesAreShownFromTheirBeginningToTheirEnd) {
  const Cues cues{{.cues = {{1s, 2500ms, "One"}, {2s, 4s, "Two"}}}};
  EXPECT_EQ(shown_in(cues, 999ms), "");
  EXPECT_EQ(shown_in(cues, 1s), "One");
  EXPECT_EQ(shown_in(cues, 2s), "One\nTwo");
  EXPECT_EQ(shown_in(cues, 2500ms), "Two");
  EXPECT_EQ(shown_in(cues, 4s), "");
}

TEST(ShownTexts, ThoseThatLastLongAreFoundAmongShortOnes) {
  std::vector<Cue> cues{{0s, 100s, "always"}};
  for (int i = 0; i < 50; ++i) cues.push_back({i * 2s, i * 2s + 1s, std::to_string(i)});
  EXPECT_EQ(shown_in(Cues{{.cues = cues}}, 90500ms), "always\n45");
  EXPECT_EQ(shown_in(Cues{{.cues = cues}}, 91500ms), "always");
}

TEST(ShownTexts, WhatFilesRepeatIsShownOnce) {
  const Cues first{{.cues = {{1s, 5s, "a"}, {1s, 5s, "a"}, {3s, 5s, "b"}}}},
      second{{.cues = {{1s, 5s, "a"}, {4s, 6s, "c"}}}};
  EXPECT_EQ(shown_at(4s, {{&first, 0s, 0s}, {&second, 4s, 0s}}), "a\na\nb\nc");  // the first has two speakers
  EXPECT_EQ(shown_at(2s, {{&second, 4s, 0s}}), "a");
}

TEST(ShownTexts, EachFileCountsByItsClock) {
  const Cues document{{.cues = {{1s, 2s, "x"}}}};
  const Cues media{{.cues = {{1s, 2s, "x"}}, .clock = TextFile::Clock::kMedia}};
  EXPECT_EQ(shown_at(1s, {{&document, 0s, std::nullopt}}), "x");
  EXPECT_EQ(shown_at(1s, {{&media, 0s, std::nullopt}}), "");  // nobody knows yet
  EXPECT_EQ(shown_at(11s, {{&media, 10s, 10s}}), "x");
  EXPECT_EQ(shown_at(1s, {{&media, 10s, 10s}}), "");
}

TEST(ShownTexts, TheTransportClockBeginsAnew) {
  // Cue zero is at 10 s of the transport stream; the title begins at 9 s, or a turn of the clock before.
  const Cues cues{{.cues = {{1s, 2s, "x"}}, .clock = TextFile::Clock::kTransport, .zero = 10s}};
  EXPECT_EQ(shown_at(2s, {{&cues, 0s, -9s}}), "x");
  EXPECT_EQ(shown_at(2500ms, {{&cues, 0s, kTransportWrap - 9s}}), "x");
  EXPECT_EQ(shown_at(kTransportWrap + 2500ms, {{&cues, kTransportWrap, -9s}}), "x");
  EXPECT_EQ(shown_at(2s, {{&cues, 0s, std::nullopt}}), "");
}

}  // namespace
}  // namespace tributary
