#include "links/network_prefix.hh"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tributary {
namespace {

TEST(NetworkPrefix, HasALength) {
  EXPECT_NO_THROW(expect_network("10.0.0.0/8"));
  EXPECT_NO_THROW(expect_network("2001:db8::/32"));
  for (const char* text :
       {"", "10.0.0.0", "10.0.0.0/33", "host/8", "/8", "10.0.0/x", "10.0.0.0/8x", "2001:db8::/129", "default"})
    EXPECT_THROW(expect_network(text), std::invalid_argument) << text;
}

TEST(NetworkPrefix, OfAnAddressIsThatOfItsNetwork) {
  EXPECT_EQ(network_prefix_of("192.0.2.77/26"), "192.0.2.64/26");
  EXPECT_EQ(network_prefix_of("192.0.2.77/32"), "192.0.2.77/32");
  EXPECT_EQ(network_prefix_of("192.0.2.77/0"), "0.0.0.0/0");
  EXPECT_EQ(network_prefix_of("2001:db8:1:2::3/50"), "2001:db8:1::/50");
  EXPECT_THROW(network_prefix_of("192.0.2.77"), std::invalid_argument);
}

TEST(NetworkPrefix, HasTheAddressesThatBeginAlike) {
  EXPECT_TRUE(is_within("169.254.169.254", "169.254.0.0/16"));
  EXPECT_FALSE(is_within("169.255.0.1", "169.254.0.0/16"));
  EXPECT_TRUE(is_within("fe80::1", "fe80::/10"));
  EXPECT_FALSE(is_within("fec0::1", "fe80::/10"));
  EXPECT_FALSE(is_within("::1", "0.0.0.0/0"));
  EXPECT_TRUE(is_within("::1", "::/0"));
}

}  // namespace
}  // namespace tributary
