#include "transport/http/file_versions.hh"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "canned_responses.hh"
#include "session_run.hh"

namespace tributary::transport {
namespace {

using namespace literals;

TEST(Http1Session, AnAnswerOfAnotherVersionThanTheChosenOneIsAnotherEntity) {
  for (const auto& [tag, last_line] :
       {std::pair{"\"a\"", "done 2"}, {"W/\"a\"", "done 2"}, {"\"b\"", "failed 2: entity-changed"}}) {
    SessionRun run;
    run.ask(request(1, 0, 10));
    run.receive(partial_content(0, 10, "ETag: \"a\"\r\n"));
    RangeRequest second = request(2, 10, 20);
    second.version_chosen = true;
    run.ask(second);
    run.receive(partial_content(10, 20, std::string{"ETag: "} + tag + "\r\n"));
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

const std::string kWhen = "Sun, 06 Nov 1994 08:49:37 GMT", kLater = "Sun, 06 Nov 1994 08:49:38 GMT";

/// Two answers over one link, and over two.
struct TwoAnswers {
  FileVersion first, second;
  bool agree_on_one_link, agree_on_two;
};

TEST(FileVersions, WhatBothAnswersSayDecides) {
  const std::optional<DataSize> size = 100_B;
  const std::vector<TwoAnswers> cases{
      {{"\"a\"", "", size}, {"\"a\"", "", size}, true, true},
      {{"\"a\"", "", size}, {"\"b\"", "", size}, false, false},
      {{"\"a\"", kWhen, size}, {"\"a\"", kLater, size}, true, true},  // equal strong tags are equal bytes
      {{"\"a\"", "", size}, {"\"a\"", "", 101_B}, false, false},
      {{"\"a\"", kWhen, size}, {"\"b\"", kWhen, size}, false, true},  // two servers, two ways to make a tag
      {{"W/\"a\"", "", size}, {"W/\"b\"", "", size}, false, false},
      {{"W/\"a\"", kWhen, size}, {"W/\"b\"", kWhen, size}, false, true},
      {{"W/\"a\"", "", size}, {"\"a\"", "", size}, true, true},
      {{"W/\"a\"", "", size}, {"\"b\"", "", size}, false, false},
      {{"\"a\"", "", size}, {"W/\"b\"", "", size}, false, false},
      {{"W/\"a\"", kWhen, size}, {"W/\"a\"", kLater, size}, false, false},
      {{"", kWhen, size}, {"", kWhen, size}, true, true},
      {{"", kWhen, size}, {"", kLater, size}, false, false},
      {{"", kWhen, {}}, {"", kLater, {}}, false, false},
      {{"\"a\"", kWhen, size}, {"", kLater, size}, false, false},
      {{"", "", size}, {"", "", size, "gzip"}, false, false},
      {{"\"a\"", "", size}, {"\"a\"", "", size, "gzip"}, false, false},
      {{"\"a\"", kWhen, size}, {"", "", size}, true, true},  // nothing tells
      {{"", "", size}, {"\"a\"", kWhen, size}, true, true},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [first, second, on_one_link, on_two] = cases[i];
    FileVersions wifi = FileVersions{}.over("wifi"), other = FileVersions{}.over("wifi"), lte = other.over("lte");
    wifi.contradiction("/film", first);
    EXPECT_EQ(!wifi.contradiction("/film", second), on_one_link) << "case " << i;
    other.contradiction("/film", first);
    EXPECT_EQ(!lte.contradiction("/film", second), on_two) << "case " << i;
  }
}

TEST(FileVersions, WhatOneAnswerLeftOutIsLearntFromTheNext) {
  FileVersions wifi = FileVersions{}.over("wifi");
  for (const FileVersion& version :
       {FileVersion{"", "", 100_B}, {"", kWhen, {}}, {"W/\"a\"", "", {}}, {"\"a\"", "", 100_B}})
    EXPECT_EQ(wifi.contradiction("/film", version), std::nullopt);
  EXPECT_NE(wifi.contradiction("/film", {"", kLater, 100_B}), std::nullopt);
  EXPECT_NE(wifi.contradiction("/film", kTagB), std::nullopt);
  EXPECT_NE(wifi.contradiction("/film", {"", "", 101_B}), std::nullopt);
  EXPECT_EQ(wifi.strong_tag("/film"), "\"a\"");
}

TEST(FileVersions, SaysWhatItWas) {
  FileVersions wifi = FileVersions{}.over("wifi"), lte = wifi.over("lte");
  wifi.contradiction("/film", {"", kWhen, 100_B});
  EXPECT_EQ(lte.contradiction("/film", {"", kLater, 100_B}),
            "another Last-Modified: " + kLater + ", over wifi it was " + kWhen);
  EXPECT_EQ(lte.contradiction("/film", {"", kWhen, 100_B, "br"}),
            "another Content-Encoding: br, over wifi it was none");
}

TEST(FileVersions, IfRangeIsForAStrongTagOfTheSameLink) {
  FileVersions wifi = FileVersions{}.over("wifi"), lte = wifi.over("lte");
  EXPECT_EQ(wifi.strong_tag("/film"), "");
  for (const auto& [target, tag, expected] : {std::tuple{"/film", "\"a\"", "\"a\""},
                                              {"/weak", "W/\"a\"", ""},
                                              {"/bare", "a", ""},
                                              {"/split", "\"a\x01\"", ""}}) {
    wifi.contradiction(target, {tag, "", 100_B});
    EXPECT_EQ(wifi.strong_tag(target), expected);
    EXPECT_EQ(lte.strong_tag(target), "");
  }
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
