#include "lending/reachable.hh"

#include <gtest/gtest.h>

#include "transport/sockets/public_address.hh"

namespace tributary::lending {
namespace {

class ReachableTest : public ::testing::Test {
 protected:
  std::string obstacle(const std::string& address) const {
    const auto parsed = transport::parse_address(address);
    EXPECT_TRUE(parsed) << address;
    return reachable_.obstacle(reinterpret_cast<const sockaddr&>(*parsed), here_);
  }

  Reachable reachable_;
  Reachable::Here here_{
      {*IpAddress::from("192.168.1.2"), *IpAddress::from("9.9.9.2"), *IpAddress::from("2a01:db8:1::2")},
      {IpNetwork::from("192.168.1.0/24"), IpNetwork::from("9.9.9.0/24"), IpNetwork::from("2a01:db8:1::/64")}};
};

TEST_F(ReachableTest, ThePublicInternetIs) {
  for (const char* address : {"8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"})
    EXPECT_EQ(obstacle(address), "") << address;
}

TEST_F(ReachableTest, PrivateNetworksAreNot) {
  for (const char* address :
       {"10.0.0.1", "172.16.3.4", "192.168.1.77", "100.64.0.1", "127.0.0.1", "127.1.2.3", "0.0.0.0", "169.254.169.254",
        "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1"})
    EXPECT_NE(obstacle(address), "") << address;
}

TEST_F(ReachableTest, NorInOtherForms) {
  for (const char* address : {"::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
                              "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:c0a8:102::1", "::ffff:9.9.9.2"})
    EXPECT_NE(obstacle(address), "") << address;
}

TEST_F(ReachableTest, NorThisMachineAndItsNeighboursThoughTheyArePublic) {
  EXPECT_EQ(obstacle("9.9.9.2"), "an address of the lender itself");
  EXPECT_EQ(obstacle("2a01:db8:1::2"), "an address of the lender itself");
  EXPECT_EQ(obstacle("9.9.9.7"), "an address in the lender's own network");
  EXPECT_EQ(obstacle("2a01:db8:1::7"), "an address in the lender's own network");
}

TEST_F(ReachableTest, TheLenderMayAllowMore) {
  reachable_.allowed = {IpNetwork::from("192.168.0.0/16")};
  EXPECT_EQ(obstacle("192.168.1.77"), "");
  EXPECT_EQ(obstacle("::ffff:192.168.1.77"), "");
  EXPECT_NE(obstacle("192.168.1.2"), "") << "itself only if it is named alone";
  EXPECT_NE(obstacle("10.0.0.1"), "");
  reachable_.allowed.push_back(IpNetwork::from("192.168.1.2/32"));
  EXPECT_EQ(obstacle("192.168.1.2"), "");
}

TEST_F(ReachableTest, PortsOfTheWeb) {
  EXPECT_TRUE(reachable_.has_port(80) && reachable_.has_port(443));
  EXPECT_FALSE(reachable_.has_port(22) || reachable_.has_port(25) || reachable_.has_port(8080));
}

}  // namespace
}  // namespace tributary::lending
