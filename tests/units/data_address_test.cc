#include "units/text/data_address.hh"

#include <gtest/gtest.h>

#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

TEST(DataAddress, HoldsTheFileItself) {
  EXPECT_EQ(data_of("data:application/octet-stream;base64,AAECAw=="), std::string("\0\1\2\3", 4));
  EXPECT_EQ(data_of("DATA:;BASE64,-_%2B/"), std::string("\xfb\xff\xbf", 3));
  EXPECT_EQ(data_of("data:text/plain,a%20b,c%"), "a b,c%");
  EXPECT_EQ(data_of("data:,"), "");
  EXPECT_EQ(data_of("data:,0123", ByteRange{DataSize{1}, DataSize{3}}), "12");
  EXPECT_EQ(data_of("data:,0123", ByteRange{DataSize{3}, DataSize{9}}), "3");
  EXPECT_EQ(data_of("data:,0123", ByteRange{DataSize{9}, DataSize{10}}), "");
  EXPECT_EQ(data_of("data:text/plain"), std::nullopt);
  EXPECT_EQ(data_of("data:;base64,a*b"), std::nullopt);
  EXPECT_FALSE(is_data_address("http://origin/data:"));
}

TEST(DataAddress, IsShownWithoutWhatItHolds) {
  EXPECT_EQ(redacted("data:application/octet-stream;base64,AAECAw=="), "data:application/octet-stream;base64,...");
}

}  // namespace
}  // namespace tributary
