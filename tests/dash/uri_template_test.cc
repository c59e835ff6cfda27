#include "dash/uri_template.hh"

#include <gtest/gtest.h>

#include <stdexcept>

#include "dash/base_url.hh"
#include "dash/bounds.hh"

namespace tributary::dash {
namespace {

std::string expanded(std::string_view text) { return UriTemplate{text}.expand({"v-1", 750'000, 42, 9'000'000'000}); }

std::string fault_of(std::string_view text) {
  try {
    return expanded(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(UriTemplate, FieldsAreFilledIn) {
  EXPECT_EQ(expanded("$RepresentationID$/$Number$.m4s"), "v-1/42.m4s");
  EXPECT_EQ(expanded("$Bandwidth$/$Time$.m4s?token=a"), "750000/9000000000.m4s?token=a");
  EXPECT_EQ(expanded("$Number%05d$-$Number%01d$-$Number%d$"), "00042-42-42");
  EXPECT_EQ(expanded("$Time%012d$ $Bandwidth%08d$"), "009000000000 00750000");
  EXPECT_EQ(expanded("a$$b$$$Number$"), "a$b$42");
  EXPECT_EQ(expanded("init.mp4"), "init.mp4");
  EXPECT_EQ(expanded(""), "");
}

TEST(UriTemplate, KnowsWhatItNames) {
  EXPECT_TRUE(UriTemplate{"$Number$"}.names_segments());
  EXPECT_TRUE(UriTemplate{"$Time%02d$"}.names_segments());
  EXPECT_FALSE(UriTemplate{"$$Number$$"}.names_segments());
  EXPECT_TRUE(UriTemplate{"$RepresentationID$"}.names_representation());
  EXPECT_TRUE(UriTemplate{"$Number$_$SubNumber$"}.names_parts());
  EXPECT_FALSE(UriTemplate{"$SubNumber$"}.names_segments());
}

TEST(UriTemplate, OtherFieldsAreFaults) {
  EXPECT_EQ(fault_of("$Frame$"), "has an unknown $Frame$");
  EXPECT_EQ(fault_of("$number$"), "has an unknown $number$");
  EXPECT_EQ(fault_of("$Number%5d$"), "has an unknown $Number%5d$");
  EXPECT_EQ(fault_of("$Number%05x$"), "has an unknown $Number%05x$");
  EXPECT_EQ(fault_of("$Number%0d$"), "has an unknown $Number%0d$");
  EXPECT_EQ(fault_of("$Number%0999999999999d$"), "has an unknown $Number%0999999999999d$");
  EXPECT_EQ(fault_of("$Number%0-5d$"), "has an unknown $Number%0-5d$");
  EXPECT_EQ(fault_of("$RepresentationID%05d$"), "has an unknown $RepresentationID%05d$");
  EXPECT_EQ(fault_of("a$Number"), "has a $ without a second one");
}

TEST(UriTemplate, ANameHasABound) {
  const std::string id(kLongestName, 'x');
  std::string text;
  for (int i = 0; i < 9; ++i) text += "$RepresentationID$";
  EXPECT_THROW((void)UriTemplate{text}.expand({.representation_id = id}), std::invalid_argument);
}

/// Shows how its arguments were joined.
std::string joined(const std::string& base, const std::string& uri) { return base + "|" + uri; }

TEST(BaseUrl, LevelsFollowEachOther) {
  const BaseUrls none, period{{"p/", "", {}}}, representation{{"r.mp4", "", {}}};
  const std::vector<const BaseUrls*> levels{&none, &period, &none, &representation};
  EXPECT_EQ(addresses_of(bases_of("http://h/m.mpd", levels, joined), "1.m4s", joined),
            std::vector<std::string>{"http://h/m.mpd|p/|r.mp4|1.m4s"});
  EXPECT_EQ(addresses_of(bases_of("http://h/m.mpd", levels, joined), "", joined),
            std::vector<std::string>{"http://h/m.mpd|p/|r.mp4"});
  EXPECT_EQ(addresses_of(bases_of("http://h/m.mpd", {}, joined), "x", joined),
            std::vector<std::string>{"http://h/m.mpd|x"});
}

TEST(BaseUrl, AlternativesStayInTheirOrder) {
  const BaseUrls servers{{"a/", "A", {}}, {"b/", "B", {}}}, own{{"v/", "", {}}};
  const std::vector<const BaseUrls*> levels{&servers, &own};
  EXPECT_EQ(addresses_of(bases_of("m", levels, joined), "1", joined),
            (std::vector<std::string>{"m|a/|v/|1", "m|b/|v/|1"}));
}

TEST(BaseUrl, AnAlternativeThatCannotBeResolvedIsLeftOut) {
  const auto refusing = [](const std::string& base, const std::string& uri) {
    if (uri.starts_with("ftp:")) throw std::runtime_error{uri};
    return base + uri;
  };
  const BaseUrls servers{{"ftp://a/", "", {}}, {"b/", "", {}}}, none_of_use{{"ftp://a/", "", {}}};
  const std::vector<const BaseUrls*> some{&servers}, none{&none_of_use};
  EXPECT_EQ(addresses_of(bases_of("h/", some, refusing), "1", refusing), std::vector<std::string>{"h/b/1"});
  EXPECT_EQ(address_of(bases_of("h/", some, refusing), "1", refusing), "h/b/1");
  EXPECT_THROW(addresses_of(bases_of("h/", none, refusing), "1", refusing), std::runtime_error);
}

TEST(BaseUrl, AlternativesDoNotMultiplyWithoutEnd) {
  BaseUrls many;
  for (int i = 0; i < 100; ++i) many.push_back({std::to_string(i), "", {}});
  const std::vector<const BaseUrls*> levels{&many, &many, &many, &many};
  EXPECT_EQ(addresses_of(bases_of("m", levels, joined), "1", joined).size(), kMostAlternatives);
}

}  // namespace
}  // namespace tributary::dash
