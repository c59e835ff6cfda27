#include "transport/sockets/near_address.hh"

#include <gtest/gtest.h>

#include "network_namespace.hh"
#include "transport/connections/address_guard.hh"
#include "transport/sockets/public_address.hh"

namespace tributary::transport {
namespace {

bool is_near(const std::string& address, const std::string& link = "") {
  const auto parsed = parse_address(address).value();
  return transport::is_near(reinterpret_cast<const sockaddr&>(parsed), link);
}
bool is_of_internet(const std::string& address) {
  const auto parsed = parse_address(address).value();
  return transport::is_of_internet(reinterpret_cast<const sockaddr&>(parsed), "");
}

/// wifi and lte have public addresses and a router each; vpn leads where no router is named.
class NearAddressTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!enter_fresh_network_namespace()) GTEST_SKIP() << "no network namespaces here";
    ip("link set lo up");
    ip("link add wifi type veth peer name wifi-peer");
    ip("link add lte type veth peer name lte-peer");
    ip("link set wifi-peer up");
    ip("link set lte-peer up");
    ip("addr add 198.51.100.7/24 dev wifi");
    ip("addr add 2001:db8:7::7/64 dev wifi nodad");
    ip("addr add 203.0.113.7/28 dev lte");
    ip("link set wifi up");
    ip("link set lte up");
    ip("route add default via 198.51.100.1 dev wifi");
    ip("route add default via 203.0.113.1 dev lte metric 9");
    ip("-6 route add default via 2001:db8:7::1 dev wifi");
  }
};

TEST_F(NearAddressTest, AddressesOfThisMachineAreNear) {
  for (const char* address : {"127.0.0.1", "::1", "198.51.100.7", "203.0.113.7", "2001:db8:7::7"}) {
    EXPECT_TRUE(is_near(address)) << address;
    EXPECT_TRUE(is_near(address, "lte")) << address;
  }
}

TEST_F(NearAddressTest, SoAreThoseOfNeighboursOnEachLink) {
  for (const char* address : {"198.51.100.1", "203.0.113.3", "203.0.113.15", "2001:db8:7::99", "224.0.0.251"})
    EXPECT_TRUE(is_near(address)) << address;
}

TEST_F(NearAddressTest, AddressesBehindARouterAreNot) {
  for (const char* address : {"203.0.113.77", "192.0.2.1", "2001:db8:8::1"}) {
    EXPECT_FALSE(is_near(address)) << address;
    EXPECT_FALSE(is_near(address, "lte")) << address;
  }
}

TEST_F(NearAddressTest, NeighboursThatOnlyATableOfTheLinkKnowsAreNear) {
  ip("route add 192.0.2.0/24 dev lte metric 9");
  ip("route add 192.0.2.0/24 via 198.51.100.1 dev wifi");
  EXPECT_FALSE(is_near("192.0.2.5"));
  EXPECT_TRUE(is_near("192.0.2.5", "lte"));
}

TEST_F(NearAddressTest, ADefaultRouteWithoutARouterLeadsToTheInternet) {
  ip("route replace default dev lte");
  EXPECT_FALSE(is_near("192.0.2.1"));
  ip("route add 0.0.0.0/1 dev wifi");
  EXPECT_FALSE(is_near("9.9.9.9"));
}

TEST_F(NearAddressTest, RangesThatLeadToThisMachineAreNear) {
  ip("route add local 192.0.2.0/24 dev lo");
  EXPECT_TRUE(is_near("192.0.2.200"));
}

TEST_F(NearAddressTest, FormsOfAnAddressAreWhatTheyLeadTo) {
  for (const char* address : {"::ffff:198.51.100.7", "64:ff9b::c633:6407", "2002:c633:6407::1", "198.51.100.7"})
    EXPECT_FALSE(is_of_internet(address)) << address;
  for (const char* address : {"::ffff:192.0.2.1", "64:ff9b::c000:201", "2002:c000:201::1", "192.0.2.1"})
    EXPECT_TRUE(is_of_internet(address)) << address;
}

}  // namespace
}  // namespace tributary::transport
