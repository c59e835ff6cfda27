#include "proxy/rewriting/name_pattern.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

/// The other pattern with the values of a name.
std::string through(std::string_view pattern, std::string_view name, std::string_view other) {
  const auto values = NamePattern::read(pattern)->match(name);
  return values ? NamePattern::read(other)->expand(*values) : "none";
}

TEST(NamePattern, AcceptsWhatATemplateCanProduce) {
  EXPECT_EQ(through("seg-$Number%05d$.m4s", "seg-00042.m4s", "$Number$"), "42");
  EXPECT_EQ(through("seg-$Number%05d$.m4s", "seg-123456.m4s", "$Number$"), "123456");
  EXPECT_EQ(through("$Time$/$SubNumber$.m4s", "900000/3.m4s", "$SubNumber$ of $Time$"), "3 of 900000");
  EXPECT_EQ(through("$$$Number$", "$7", "$Number$$$"), "7$");
}

TEST(NamePattern, AcceptsNothingElse) {
  for (const char* const name : {"seg-42.m4s", "seg-000042.m4s", "seg-0004x.m4s", "seg-00042.m4s.bak", "xseg-00042.m4s",
                                 "seg-.m4s", "seg--0042.m4s", "seg-99999999999999999999.m4s", "", "seg-"})
    EXPECT_EQ(through("seg-$Number%05d$.m4s", name, "$Number$"), "none") << name;
  EXPECT_EQ(through("$Number$.ts", "007.ts", "$Number$"), "none");
  EXPECT_EQ(through("$Number$/$Number$.ts", "7/8.ts", "$Number$"), "none");
  EXPECT_EQ(through("$Number$/$Number%03d$.ts", "7/007.ts", "$Number$"), "7");
}

TEST(NamePattern, TriesSeveralValuesWhereDigitsFollow) {
  EXPECT_EQ(through("$Number$2.ts", "1222.ts", "$Number$"), "122");
  EXPECT_EQ(through("$Number$$Time$-$Number$", "123-12", "$Time$"), "3");
}

TEST(NamePattern, IsReadAsTheStandardHasIt) {
  for (const char* const text : {"$Number", "$Frame$", "$Number%5d$", "$Number%0xd$", "$RepresentationID%02d$", "a$b"})
    EXPECT_FALSE(NamePattern::read(text)) << text;
  for (const char* const text :
       {"", "a", "$$", "$RepresentationID$/$Bandwidth%08d$/$Number$.m4s", "$Time$$Number%02d$"})
    EXPECT_EQ(NamePattern::read(text)->text(), text);
  EXPECT_EQ(NamePattern::read("$RepresentationID$/$Bandwidth%05d$")->of("v$1", 300).text(), "v$$1/00300");
}

TEST(NamePattern, KnowsFieldsWithinAnEscape) {
  for (const char* const text : {"%$Number$", "%4$Number$", "a%4$Time$b"})
    EXPECT_TRUE(NamePattern::read(text)->splits_escape()) << text;
  for (const char* const text : {"%41$Number$", "%4", "$Number$%", "$Number$"})
    EXPECT_FALSE(NamePattern::read(text)->splits_escape()) << text;
}

TEST(NamePattern, SurvivesAnotherText) {
  const auto pattern = *NamePattern::read("zf0z$Number%03d$zf$Time$");
  const std::string mark = pattern.unused_mark("http://zfq/");
  const std::string text = "http://h/zf/zfq/" + pattern.marked(mark) + "?" + pattern.marked(mark);
  EXPECT_EQ(pattern.from_marked(text, mark).text(),
            "http://h/zf/zfq/zf0z$Number%03d$zf$Time$?zf0z$Number%03d$zf$Time$");
}

TEST(PatternTable, FindsTheMostSpecificPattern) {
  PatternTable table;
  table.add(*NamePattern::read("$Number$.ts"), 0);
  table.add(*NamePattern::read("a/$Number$.ts"), 1);
  table.add(*NamePattern::read("a/$Time$.ts"), 2);
  table.add(*NamePattern::read("a/b.ts"), 3);
  const auto number_of = [&](std::string_view name) {
    const auto match = table.find(name);
    return match ? static_cast<int>(match->number) : -1;
  };
  EXPECT_EQ(number_of("7.ts"), 0);
  EXPECT_EQ(number_of("a/7.ts"), 1);
  EXPECT_EQ(number_of("a/b.ts"), 3);
  EXPECT_EQ(number_of("b/7.ts"), -1);
  EXPECT_EQ(number_of(""), -1);
}

}  // namespace
}  // namespace tributary::proxy
