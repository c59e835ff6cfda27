#include "gst/texts/caption_decoder.hh"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tributary {
namespace {

using namespace std::chrono_literals;

std::byte with_parity(int code) {
  return static_cast<std::byte>(code | (__builtin_popcount(static_cast<unsigned>(code)) % 2 == 0 ? 0x80 : 0));
}

/// Groups of three bytes with a pair of each field.
std::vector<std::byte> picture(std::array<int, 2> first, std::array<int, 2> second = {0, 0}) {
  return {std::byte{0xfc}, with_parity(first[0]),  with_parity(first[1]),
          std::byte{0xfd}, with_parity(second[0]), with_parity(second[1])};
}

/// A caption that pops on.
const std::vector<std::array<int, 2>> kHi{{0x14, 0x20}, {0x14, 0x2e}, {0x14, 0x70}, {'H', 'i'}, {0x14, 0x2f}};

TEST(CaptionDecoder, ACaptionPopsOnAndIsErased) {
  CaptionDecoder decoder{CaptionField::kFirst};
  ASSERT_TRUE(decoder.works());
  std::optional<std::string> text;
  Duration time{};
  for (const auto& pair : kHi) {
    EXPECT_EQ(text.value_or(""), "");
    text = decoder.take(time += 40ms, picture(pair));
  }
  EXPECT_EQ(text, "Hi");
  EXPECT_EQ(decoder.take(time += 40ms, picture({0, 0})), std::nullopt);
  EXPECT_EQ(decoder.take(time += 1s, picture({0x14, 0x2c})), "");
}

TEST(CaptionDecoder, TheOtherFieldIsAnotherText) {
  CaptionDecoder decoder{CaptionField::kSecond};
  Duration time{};
  for (const auto& pair : kHi) EXPECT_EQ(decoder.take(time += 40ms, picture(pair)).value_or(""), "");
}

TEST(CaptionDecoder, BytesThatAreNoCaptionsAreIgnored) {
  CaptionDecoder decoder{CaptionField::kFirst};
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(i % 40));
    for (std::size_t k = 0; k < bytes.size(); ++k)
      bytes[k] = static_cast<std::byte>((i * 37 + k * 11) & (k % 3 == 0 ? 0xf8 : 0xff));  // no pair is valid
    EXPECT_EQ(decoder.take(i * 40ms, bytes).value_or(""), "");
  }
}

TEST(MarkupOfAss, KeepsLinesAndStyles) {
  EXPECT_EQ(markup_of_ass("0,0,Default,,0,0,0,,{\\an7}one & two\\N{\\i1}three{\\i0}\\hfour, five"),
            "one &amp; two\n<i>three</i> four, five");
  EXPECT_EQ(markup_of_ass("0,0,Default,,0,0,0,,"), "");
  EXPECT_EQ(markup_of_ass("no fields"), "");
  EXPECT_EQ(markup_of_ass("0,0,Default,,0,0,0,,{\\u1}a{\\b"), "<u>a</u>");
  EXPECT_EQ(markup_of_ass("0,0,Default,,0,0,0,,{"), "");
}

}  // namespace
}  // namespace tributary
