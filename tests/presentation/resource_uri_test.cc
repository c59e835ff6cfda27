#include "presentation/resource_uri.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

TEST(ResourceUri, PathsBelowTheIndexAreTaken) {
  for (const char* uri : {"init.mp4", "low/init.mp4", "a/b/c.m4s", "50%25/x", "low..mp4", ".hidden", "a b"}) {
    EXPECT_EQ(why_not_below_index(uri).has_value(), std::string_view{uri} == "a b") << uri;
  }
}

TEST(ResourceUri, NothingLeavesTheIndexOrItsOrigin) {
  for (const char* uri :
       {"",         "/etc/passwd",   "..",     "../x", "low/../../x", "low/..",   "./x",          "low//x", "low/",
        "//host/x", "http://host/x", "file:x", "C:x",  "low\\..\\x",  "%2e%2e/x", "low/%2E%2e/x", "a%2fb",  "a%5Cb",
        "x%",       "x%4",           "x%zz",   "x%00", "x%0a",        "x?y",      "x#y",          "x\ny",   "x\"y",
        "{n}",      "\xc3\xa4"}) {
    EXPECT_TRUE(why_not_below_index(uri)) << uri;
  }
}

TEST(ResourceUri, ASegmentPatternHasOnePlaceForTheNumber) {
  for (const char* uri : {"{n}", "low/{n}.m4s", "low/{n:05}.m4s", "{n:01}", "{n:09}/x"}) {
    EXPECT_FALSE(why_not_segment_pattern(uri)) << uri;
  }
  for (const char* uri : {"", "low/1.m4s", "low/{n", "low/n}", "}{", "{}", "{m}", "{n:5}", "{n:00}", "{n:10}",
                          "{n:05d}", "{n}{n}", "{n}{", "{n:0-}", "/{n}", "../{n}", "low/{n}/..", "http://host/{n}"}) {
    EXPECT_TRUE(why_not_segment_pattern(uri)) << uri;
  }
}

}  // namespace
}  // namespace tributary
