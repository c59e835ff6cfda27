#include "units/text/redacted_url.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

TEST(RedactedUrl, KeepsWhereSomethingIsAndHidesWhoAsksWithWhichToken) {
  EXPECT_EQ(redacted("https://cdn.example/film/index.json"), "https://cdn.example/film/index.json");
  EXPECT_EQ(redacted("https://cdn.example/index.json?token=abc&x=1"), "https://cdn.example/index.json?...");
  EXPECT_EQ(redacted("https://me:secret@cdn.example:8443/a@b"), "https://...@cdn.example:8443/a@b");
  EXPECT_EQ(redacted("https://me:sec@ret@cdn.example/x?y"), "https://...@cdn.example/x?...");
  EXPECT_EQ(redacted("me:secret@cdn.example/x"), "...@cdn.example/x");
  EXPECT_EQ(redacted("me@home/film/index.json"), "me@home/film/index.json");
  EXPECT_EQ(redacted("//me:secret@cdn.example/x"), "...@cdn.example/x");
  EXPECT_EQ(redacted("/film/1.m4s?sig=abc"), "/film/1.m4s?...");
  EXPECT_EQ(redacted("/film#token"), "/film#...");
  EXPECT_EQ(redacted("?token"), "?...");
  EXPECT_EQ(redacted(""), "");
  EXPECT_EQ(redacted("rtsp://me:sec/ret#1@cam:554/stream?tcp"), "rtsp://...@cam:554/stream?...");
  EXPECT_EQ(redacted("rtsp://me:sec?ret@cam/"), "rtsp://...@cam/");
}

}  // namespace
}  // namespace tributary
