#include "download/options/listed_file.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace tributary {
namespace {

using ::testing::ElementsAre;

std::vector<ListedFile> of(const std::string& text) {
  std::istringstream lines{text};
  return read_list(lines, "list");
}

std::string refusal(const std::string& text) {
  try {
    of(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ListedFile, AreTheLinesOfAList) {
  EXPECT_THAT(of("# two\n\nhttp://a/1\r\nhttp://a/2"),
              ElementsAre(ListedFile{"http://a/1", "", ""}, ListedFile{"http://a/2", "", ""}));
  EXPECT_THAT(of(""), ElementsAre());
  EXPECT_THAT(of("http://a/1\n  http://a/2?out=3\n"),
              ElementsAre(ListedFile{"http://a/1", "", ""}, ListedFile{"http://a/2?out=3", "", ""}));
}

TEST(ListedFile, LinesWithABlankAreAboutTheAddressBefore) {
  const std::string digits(32, 'a');
  EXPECT_THAT(of("http://a/1\n  out=b c.iso\n\tdir=/tmp\n # no word\n checksum=md5=" + digits + "\nhttp://a/2\n"),
              ElementsAre(ListedFile{"http://a/1", "/tmp", "b c.iso", Checksum{"md5", digits}},
                          ListedFile{"http://a/2", "", ""}));
}

TEST(ListedFile, WhatMeansNothingIsNamedByItsLine) {
  EXPECT_EQ(refusal("http://a/1\n split=4\n"),
            "list, line 2: \"split\" is not known for one file: out, dir and checksum are");
  EXPECT_EQ(refusal(" out=x\n"), "list, line 1: an option stands before the first address");
  EXPECT_EQ(refusal("http://a/1\n out=\n"), "list, line 2: a line that begins with a blank has an option, as out=NAME");
  EXPECT_EQ(refusal("http://a/1\thttp://b/1\n"), "list, line 1: several addresses; one is expected");
  EXPECT_THAT(refusal("http://a/1\n\n checksum=crc=1\n"),
              ::testing::StartsWith("list, line 3: \"crc=1\": expected md5"));
}

}  // namespace
}  // namespace tributary
