#include "units/text/plain_text.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

TEST(PlainText, Utf8IsToldFromWhatIsNone) {
  for (const char* text : {"", "plain", "Håkon", "日本語 🎬",
                           "\xef\xbb\xbf"
                           "BOM"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"H\xe5kon", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xff", "\xf4\x90\x80\x80"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(PlainText, OneLineHasNoControlCharactersAndIsUtf8) {
  EXPECT_EQ(as_one_line("Håkon"), "Håkon");
  EXPECT_EQ(as_one_line("a\nb\x1b[31m\x7f"), "a b [31m ");
  EXPECT_EQ(as_one_line("\xc2\x9b"
                        "31m\u2028"),
            " 31m ");
  EXPECT_EQ(as_one_line("H\xe5kon"), "H\uFFFDkon");
}

TEST(PlainText, CaseCanBeLeftAside) {
  EXPECT_EQ(without_case("BBC One 4K\xff"), "bbc one 4k\xff");
  EXPECT_EQ(without_case("TÉLÉ ÑÖ ×"), "télé ñö ×");
  EXPECT_EQ(without_case("РОССИЯ Ё ΩΣ"), "россия ё ωσ");
  EXPECT_EQ(without_case("日本"), "日本");
}

}  // namespace
}  // namespace tributary
