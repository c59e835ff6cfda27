#include "dash/url_query.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mpd_text.hh"

namespace tributary::dash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A representation whose set has this property.
std::string with_property(std::string_view name, std::string_view info) {
  return static_text(
      fmt::format(R"(<{0} schemeIdUri="urn:mpeg:dash:urlparam:2014"><up:UrlQueryInfo {1}/></{0}>)", name, info));
}

TEST(UrlQuery, RepresentationsHaveThoseOfTheirSet) {
  const Mpd mpd = read_mpd(
      with_property("EssentialProperty", R"(queryTemplate="$querypart$" queryString="a=1" useMPDUrlQuery="true")"));
  EXPECT_THAT(first_representation(mpd).url_queries, ElementsAre(UrlQuery{"a=1", true}));
  EXPECT_THAT(mpd.left_out, IsEmpty());
}

TEST(UrlQuery, AnEssentialOneThatPicksParametersIsNotPlayed) {
  constexpr std::string_view kPicking = R"(queryTemplate="$query:token$" useMPDUrlQuery="true")";
  EXPECT_THAT(refusal_of(with_property("EssentialProperty", kPicking)),
              HasSubstr("UrlQueryInfo: \"queryTemplate\" is other than $querypart$"));
  const Mpd mpd = read_mpd(with_property("SupplementalProperty", kPicking));
  EXPECT_THAT(first_representation(mpd).url_queries, IsEmpty());
}

TEST(UrlQuery, IsEncodedWhereItCouldNotStandInAnAddress) {
  const Mpd mpd =
      read_mpd(with_property("EssentialProperty", R"(queryTemplate="$querypart$" queryString="a=#1 ä&amp;b=%20")"));
  EXPECT_THAT(first_representation(mpd).url_queries, ElementsAre(UrlQuery{"a=%231%20%c3%a4&b=%20"}));
}

TEST(UrlQuery, StandsBehindTheQueryOfTheSegment) {
  const std::vector<UrlQuery> queries{{"a=1", true}};
  EXPECT_EQ(with_queries("http://h/1.m4s", queries, "http://h/m.mpd?t=x&u=y#t=5"), "http://h/1.m4s?a=1&t=x&u=y");
  EXPECT_EQ(with_queries("http://h/1.m4s?s=0", queries, "http://h/m.mpd"), "http://h/1.m4s?s=0&a=1");
  EXPECT_EQ(with_queries("http://h/1.m4s", {}, "http://h/m.mpd?t=x"), "http://h/1.m4s");
  EXPECT_EQ(with_queries("http://h/1.m4s?s=0#f?", queries, "http://h/m.mpd"), "http://h/1.m4s?s=0&a=1#f?");
  EXPECT_EQ(with_queries("http://h/1.m4s#f?", queries, "http://h/m.mpd"), "http://h/1.m4s?a=1#f?");
  EXPECT_EQ(with_queries("data:,x?y", queries, "http://h/m.mpd"), "data:,x?y");
}

}  // namespace
}  // namespace tributary::dash
