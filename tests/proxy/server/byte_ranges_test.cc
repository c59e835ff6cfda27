#include "proxy/requests/byte_ranges.hh"

#include <gtest/gtest.h>

#include <string>

namespace tributary::proxy {
namespace {

using namespace literals;

/// "2-5", "none" or "ignored", of ten bytes.
std::string of_ten(std::string_view value) {
  const auto asked = read_range(value);
  if (!asked) return "ignored";
  const auto bytes = bytes_of(*asked, 10_B);
  if (!bytes) return "none";
  return std::to_string(bytes->begin.bytes()) + "-" + std::to_string(bytes->end.bytes() - 1);
}

TEST(ByteRanges, AreTheThreeFormsOfOneRange) {
  EXPECT_EQ(of_ten("bytes=0-0"), "0-0");
  EXPECT_EQ(of_ten("bytes=2-5"), "2-5");
  EXPECT_EQ(of_ten("bytes=2-"), "2-9");
  EXPECT_EQ(of_ten("bytes=-4"), "6-9");
  EXPECT_EQ(of_ten("Bytes=2-5"), "2-5");
}

TEST(ByteRanges, EndWithTheFile) {
  EXPECT_EQ(of_ten("bytes=9-99999999999999999999999"), "9-9");
  EXPECT_EQ(of_ten("bytes=-99999999999999999999999"), "0-9");
  EXPECT_EQ(of_ten("bytes=0-9223372036854775807"), "0-9");
}

TEST(ByteRanges, AreRefusedWhereThereAreNoSuchBytes) {
  EXPECT_EQ(of_ten("bytes=10-"), "none");
  EXPECT_EQ(of_ten("bytes=10-20"), "none");
  EXPECT_EQ(of_ten("bytes=-0"), "none");
  EXPECT_EQ(of_ten("bytes=99999999999999999999999-"), "none");
  EXPECT_EQ(bytes_of(*read_range("bytes=0-"), 0_B), std::nullopt);
  EXPECT_EQ(bytes_of(*read_range("bytes=-5"), 0_B), std::nullopt);
}

TEST(ByteRanges, AreIgnoredWhereTheyAreNoSingleRange) {
  for (const char* value :
       {"", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=1", "bytes=5-2", "bytes=0-1,3-4", "bytes=1-2-3",
        "bytes= 1-2", "bytes=1 -2", "bytes=+1-2", "bytes=--1", "items=0-1", "bytes=0x1-2", "bytes 1-2"}) {
    EXPECT_EQ(of_ten(value), "ignored") << value;
  }
}

TEST(ByteRanges, KnowWhenTheyAskForAll) {
  EXPECT_TRUE(read_range("bytes=0-")->is_from_the_start());
  EXPECT_FALSE(read_range("bytes=1-")->is_from_the_start());
  EXPECT_FALSE(read_range("bytes=0-5")->is_from_the_start());
  EXPECT_FALSE(read_range("bytes=-5")->is_from_the_start());
}

TEST(ByteRanges, AreClosedWhereBothEndsAreStated) {
  EXPECT_EQ(closed_range("bytes=2-5"), (ByteRange{2_B, 6_B}));
  for (const char* open : {"bytes=2-", "bytes=-5", "bytes=5-2", "bytes=0-1,3-4", "lines=2-5"})
    EXPECT_EQ(closed_range(open), std::nullopt) << open;
  EXPECT_EQ(closed_range(std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace tributary::proxy
