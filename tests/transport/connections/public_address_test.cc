#include "transport/sockets/public_address.hh"

#include <gtest/gtest.h>

namespace tributary::transport {
namespace {

TEST(PublicAddress, AddressesOfTheInternetAreOnes) {
  for (const char* address : {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.0.1", "100.128.0.1", "172.15.0.1",
                              "172.32.0.1", "192.167.1.1", "198.17.0.1", "198.51.100.1", "223.255.255.255",
                              "2606:4700::1", "2001:db8::1", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1"})
    EXPECT_TRUE(is_public(address)) << address;
}

TEST(PublicAddress, ThoseOfThisMachineAndItsNeighboursAreNot) {
  for (const char* address : {"0.0.0.0",
                              "10.1.2.3",
                              "100.64.0.1",
                              "127.0.0.1",
                              "127.255.0.1",
                              "169.254.169.254",
                              "172.16.0.1",
                              "172.31.255.255",
                              "192.0.0.1",
                              "192.168.1.1",
                              "198.18.0.1",
                              "198.19.255.255",
                              "224.0.0.1",
                              "255.255.255.255",
                              "::",
                              "::1",
                              "::7f00:1",
                              "::ffff:127.0.0.1",
                              "::ffff:192.168.0.1",
                              "64:ff9b::7f00:1",
                              "2002:7f00:1::1",
                              "fc00::1",
                              "fd12::1",
                              "fe80::1",
                              "ff02::1"})
    EXPECT_FALSE(is_public(address)) << address;
}

TEST(PublicAddress, TextThatIsNoAddressIsNone) {
  for (const char* address : {"", "localhost", "1.1.1", "1.1.1.1:80", "[2606:4700::1]"})
    EXPECT_FALSE(is_public(address)) << address;
}

}  // namespace
}  // namespace tributary::transport
