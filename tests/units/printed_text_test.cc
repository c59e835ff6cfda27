#include "units/text/printed_text.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

TEST(PrintedText, OfOthersCommandsNoTerminal) {
  EXPECT_EQ(printable("404 \x1b]0;owned\x07 \x1b[2J"), "404 \\x1b]0;owned\\x07 \\x1b[2J");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
  EXPECT_EQ(printable("C1 as UTF-8: \u009b2J, as a byte: \x9b"
                      "2J"),
            "C1 as UTF-8: \\x9b2J, as a byte: \\x9b2J");
  EXPECT_EQ(printable("film\u202e4pm.exe \u2066x\u2069 \u200f"), "film\\u202e4pm.exe \\u2066x\\u2069 \\u200f");
  EXPECT_EQ(printable(std::string_view{"a\0b", 3}), "a\\x00b");
}

TEST(PrintedText, LinesAndTabsStayWhereSeveralLinesAreMeant) {
  EXPECT_EQ(printable("one\n\ttwo\n"), "one\n\ttwo\n");
  EXPECT_EQ(printable_line("one\n\ttwo\u2028"), "one\\x0a\\x09two\\u2028");
}

TEST(PrintedText, WhatPeopleWriteStays) {
  for (const char* text : {"", "Straße 漢字 مرحبا 🎬", "50 % █·", "\u00a0", "e\u0301", "\ud7ff\ue000\U0010ffff"})
    EXPECT_EQ(printable(text), text);
}

TEST(PrintedText, BytesThatAreNoCharacterAreShown) {
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xff\xc0\x9b"), "\\xff\\xc0\\x9b");           // a C1 in more bytes than it needs
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");           // the same
  EXPECT_EQ(printable("\xf0\x80\x82\x9b"), "\\xf0\\x80\\x82\\x9b");  // the same
  EXPECT_EQ(printable("\xed\xa0\x80\xf4\x90\x80\x80"), "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
}

/// Every byte, alone, before and behind others: no control character is left, and what is left is UTF-8 again.
TEST(PrintedText, NoPairOfBytesIsACommand) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const std::string shown = printable_line(text);
      EXPECT_EQ(printable_line(shown), shown) << first << " " << second;
      for (const char c : shown)
        EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << first << " " << second;
      EXPECT_EQ(shown.find("\xc2\x9b"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tributary
