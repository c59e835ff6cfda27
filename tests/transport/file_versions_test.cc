#include "transport/file_versions.hh"

#include <gtest/gtest.h>

#include "canned_responses.hh"
#include "session_run.hh"

namespace tributary::transport {
namespace {

using namespace literals;

TEST(Http1Session, NoticesAnotherEntityTagThanTheOneExpected) {
  for (const auto& [tag, last_line] :
       {std::pair{"\"a\"", "done 1"}, {"W/\"b\"", "done 1"}, {"\"b\"", "failed 1: entity-changed"}}) {
    SessionRun run;
    run.ask({.id = RequestId{1},
             .target = "/object",
             .range = {DataSize{0}, DataSize{10}},
             .file_size = {},
             .etag = "\"a\""});
    run.receive(partial_content(0, 10, std::string{"ETag: "} + tag + "\r\n"));
    EXPECT_EQ(run.lines().back(), last_line) << tag;
  }
}

const FileVersion kTagA{"\"a\"", "", 100_B};
const FileVersion kTagB{"\"b\"", "", 100_B};

TEST(FileVersions, AnotherTagOverAnotherLinkIsAnotherVersion) {
  FileVersions wifi = FileVersions{}.over("wifi"), lte = wifi.over("lte");
  EXPECT_EQ(wifi.contradiction("/film", kTagA), std::nullopt);
  EXPECT_EQ(lte.contradiction("/film", kTagA), std::nullopt);
  EXPECT_EQ(lte.contradiction("/other", kTagB), std::nullopt);
  EXPECT_EQ(lte.contradiction("/film", kTagB), "another ETag: \"b\", over lte it was \"a\"");
  EXPECT_EQ(wifi.over("dsl").contradiction("/film", kTagB), "another ETag: \"b\", over wifi it was \"a\"");
}

TEST(FileVersions, WeakAndAbsentTagsSayNothing) {
  FileVersions wifi = FileVersions{}.over("wifi"), lte = wifi.over("lte");
  for (const char* tag : {"", "W/\"x\"", "W/\"y\""}) {
    EXPECT_EQ(wifi.contradiction("/film", {tag, "", 100_B}), std::nullopt);
    EXPECT_EQ(lte.contradiction("/film", {tag, "", {}}), std::nullopt);
  }
  EXPECT_EQ(lte.contradiction("/film", kTagA), std::nullopt);
  EXPECT_NE(wifi.contradiction("/film", kTagB), std::nullopt);
}

TEST(FileVersions, AnotherSizeIsAnotherVersionWhateverTheTags) {
  FileVersions wifi = FileVersions{}.over("wifi");
  EXPECT_EQ(wifi.contradiction("/film", {"", "", 100_B}), std::nullopt);
  EXPECT_EQ(wifi.over("lte").contradiction("/film", {"", "", 101_B}), "the file has 101 bytes, over wifi it had 100");
}

TEST(FileVersions, ServersThatMakeTheirTagsInDifferentWaysHaveTheSameFile) {
  const std::string when = "Sun, 06 Nov 1994 08:49:37 GMT";
  FileVersions wifi = FileVersions{}.over("wifi"), lte = wifi.over("lte");
  EXPECT_EQ(wifi.contradiction("/film", {"\"a\"", when, 100_B}), std::nullopt);
  EXPECT_NE(wifi.contradiction("/film", {"\"b\"", when, 100_B}), std::nullopt);  // one server does not
  EXPECT_NE(lte.contradiction("/film", {"\"b\"", "Sun, 06 Nov 1994 08:49:38 GMT", 100_B}), std::nullopt);
  EXPECT_NE(lte.contradiction("/film", {"\"b\"", when, {}}), std::nullopt);
  EXPECT_EQ(lte.contradiction("/film", {"\"b\"", when, 100_B}), std::nullopt);
  EXPECT_EQ(wifi.contradiction("/film", {"\"a\"", when, 100_B}), std::nullopt);
  EXPECT_EQ(lte.contradiction("/film", {"\"b\"", when, 100_B}), std::nullopt);
  EXPECT_NE(lte.contradiction("/film", {"\"c\"", when, 100_B}), std::nullopt);
}

TEST(FileVersions, WhatStandsAloneIsWhatTheNextAreHeldAgainst) {
  FileVersions wifi = FileVersions{}.over("wifi"), lte = wifi.over("lte");
  wifi.contradiction("/film", kTagA);
  lte.begin_anew("/film", kTagB);
  EXPECT_EQ(lte.contradiction("/film", kTagB), std::nullopt);
  EXPECT_NE(wifi.contradiction("/film", kTagA), std::nullopt);
}

TEST(Http1Session, WhatStandsAloneMayBeOfAnotherVersion) {
  SessionRun run;
  run.ask(request(1, 0, 10));
  run.receive(partial_content(0, 10, "ETag: \"a\"\r\n"));
  RangeRequest alone = request(2, 0, 10);
  alone.stands_alone = true;
  run.ask(alone);
  run.receive(partial_content(0, 10, "ETag: \"b\"\r\n"));
  EXPECT_EQ(run.lines().back(), "done 2");
}

TEST(FileVersions, TheOldestOfManyAreForgotten) {
  FileVersions versions;
  for (std::size_t i = 0; i < FileVersions::kTargets; ++i) versions.contradiction("/" + std::to_string(i), kTagA);
  EXPECT_NE(versions.contradiction("/0", kTagB), std::nullopt);
  EXPECT_EQ(versions.contradiction("/more", kTagA), std::nullopt);
  EXPECT_EQ(versions.contradiction("/0", kTagB), std::nullopt);
  EXPECT_NE(versions.contradiction("/9", kTagB), std::nullopt);
}

}  // namespace
}  // namespace tributary::transport
