#include "cues/sub_rip.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;
using Cues = std::vector<Cue>;

TEST(SubRip, CuesHaveTimesTextAndEmphasis) {
  EXPECT_EQ(
      read_sub_rip("\xef\xbb\xbf"
                   "1\r\n00:00:01,500 --> 00:00:04,000\r\n<i>One</i> & <b>two\r\n\r\n"
                   "2\n01:00:00,000 --> 01:00:01,000  X1:10 X2:20\n{\\an8}Above\n<font color=\"red\">below</font>\n"),
      (Cues{{1500ms, 4s, "<i>One</i> &amp; <b>two</b>"}, {3600s, 3601s, "Above\nbelow"}}));
}

TEST(SubRip, WhatIsNotUtf8IsWindows1252) {
  EXPECT_EQ(read_sub_rip("1\n00:00:00,000 --> 00:00:01,000\nH\xe5kon \x96 5 \x80\x81\n"),
            (Cues{{0s, 1s, "Håkon – 5 €"}}));
}

TEST(SubRip, WhatCannotBeReadIsLeftOut) {
  EXPECT_EQ(read_sub_rip("1\nsoon --> later\nlost\n\n2\n00:00:05,000 --> 00:00:06,000\nkept {\\unended\n"),
            (Cues{{5s, 6s, "kept {\\unended"}}));
  EXPECT_EQ(read_sub_rip("1\n00:00:06,000 --> 00:00:05,000\nbackwards\n"), Cues{});
}

TEST(SubRip, IsToldByItsTimes) {
  EXPECT_TRUE(looks_like_sub_rip("1\n00:00:01,000 --> 00:00:02,000\nx\n"));
  EXPECT_FALSE(looks_like_sub_rip("a shopping list"));
  EXPECT_FALSE(looks_like_sub_rip(std::string(5'000, ' ') + "-->"));
}

}  // namespace
}  // namespace tributary
