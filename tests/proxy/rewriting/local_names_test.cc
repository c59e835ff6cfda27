#include "proxy/rewriting/local_names.hh"

#include <gtest/gtest.h>

#include "manifests/manifest.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {
namespace {

std::string asked(const LocalNames& names, std::string_view target) {
  const auto found = names.read(target);
  if (!found) return "none";
  return Address{found->origin, found->path, found->query.value_or("pattern")}.url() +
         (found->directives.empty() ? "" : " " + found->directives);
}

TEST(LocalNames, NumbersOriginsAndQueries) {
  LocalNames names{"/1", "/token"};
  EXPECT_EQ(names.target(*address_from("http://a/film/1.ts?secret")), "/1/0/film/1.ts?0");
  EXPECT_EQ(names.target(*address_from("http://b:81/2.ts?other")), "/1/1/2.ts?1");
  EXPECT_EQ(names.target(*address_from("http://a/3.ts?secret")), "/1/0/3.ts?0");
  EXPECT_EQ(names.in_text(*address_from("http://b:81/")), "/token/1/1/");
  EXPECT_EQ(asked(names, "/1/1/x/2.ts?0"), "http://b:81/x/2.ts?secret");
}

TEST(LocalNames, PassesOnDirectivesAndNothingElse) {
  LocalNames names{"/1", ""};
  names.target(*address_from("http://a/?secret"));
  EXPECT_EQ(asked(names, "/1/0/l.m3u8?CMCD=bl%3D1&0&_HLS_msn=3&_HLS_part=1&x=y&_HLS_skip=YES"),
            "http://a/l.m3u8?secret _HLS_msn=3&_HLS_part=1&_HLS_skip=YES");
  EXPECT_EQ(asked(names, "/1/0/l.json?_HLS_primary_id=1-f&_HLS_start_offset=2.5"),
            "http://a/l.json _HLS_primary_id=1-f&_HLS_start_offset=2.5");
  EXPECT_EQ(asked(names, "/1/0/l.m3u8?_HLS_x=a%0d%0ab&_HLS_=/"), "http://a/l.m3u8");
}

TEST(LocalNames, LeadNowhereElse) {
  LocalNames names{"/1", ""};
  names.target(*address_from("http://a/film/?secret"));
  for (const char* const target : {"", "/", "/1", "/1/", "/1/0", "/10/0/a", "/2/0/a", "/1/1/a", "/1/00/a", "/1/-0/a",
                                   "/1/0x/a", "/1/0/a?1", "/1/99999999999999999999/a", "/1/0/a?0.5&7"})
    EXPECT_EQ(asked(names, target), "none") << target;
  EXPECT_EQ(asked(names, "/1/0/../../../etc/passwd"), "http://a/etc/passwd");  // of the origin, if it was announced
}

TEST(LocalNames, ForgetQueriesAndUseNoNumberTwice) {
  LocalNames names{"/1", ""};
  names.number_of_query("a");
  names.number_of_query("b");
  names.number_of_origin("http://a");
  names.keep_queries({"b"});
  EXPECT_EQ(names.query_count(), 1U);
  EXPECT_EQ(names.number_of_query("c"), 2U);
  EXPECT_EQ(asked(names, "/1/0/1?0"), "none");
  EXPECT_EQ(asked(names, "/1/0/1?1"), "http://a/1?b");
}

TEST(LocalNames, AreBounded) {
  LocalNames names{"/1", ""};
  for (std::size_t i = 0; i < kMostOrigins; ++i) names.number_of_origin("http://h" + std::to_string(i));
  EXPECT_THROW(names.number_of_origin("http://more"), ManifestError);
  EXPECT_EQ(names.number_of_origin("http://h7"), 7U);
}

}  // namespace
}  // namespace tributary::proxy
