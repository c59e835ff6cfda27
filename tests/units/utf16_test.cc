#include "units/text/utf16.hh"

#include <gtest/gtest.h>

#include <string>

namespace tributary {
namespace {

std::string bytes_of(const std::u16string& text, bool big) {
  std::string bytes;
  for (const char16_t c : text) {
    const char high = static_cast<char>(c >> 8), low = static_cast<char>(c & 0xff);
    bytes += big ? high : low;
    bytes += big ? low : high;
  }
  return bytes;
}

TEST(Utf16, BecomesUtf8InEitherByteOrder) {
  const std::u16string text = u"<MPD>\u00e5\u20ac\U0001f3a5</MPD>";
  for (const bool big : {true, false}) {
    EXPECT_EQ(from_utf16(bytes_of(u"\ufeff" + text, big)), "<MPD>\u00e5\u20ac\U0001f3a5</MPD>");
    EXPECT_EQ(from_utf16(bytes_of(text, big) + "x"), "<MPD>\u00e5\u20ac\U0001f3a5</MPD>");
    EXPECT_EQ(from_utf16(bytes_of(u"a\xd800z", big)), "a\ufffdz");
  }
}

TEST(Utf16, OtherTextsAreNone) {
  for (const char* const text : {"", "a", "<MPD>", "\xef\xbb\xbf#EXTM3U"})
    EXPECT_EQ(from_utf16(text), std::nullopt) << text;
}

}  // namespace
}  // namespace tributary
