#include "units/text/ip_address.hh"

#include <gtest/gtest.h>

#include <span>
#include <stdexcept>
#include <string>

namespace tributary {
namespace {

using namespace std::string_literals;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span{text}); }

TEST(IpAddress, IsReadAndWritten) {
  for (const std::string text : {"192.0.2.1", "0.0.0.0", "2001:db8::1", "::", "::ffff:192.0.2.1"}) {
    const auto address = IpAddress::from(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
    EXPECT_EQ(address->is_ipv6(), address->bytes().size() == 16) << text;
    EXPECT_EQ(IpAddress{address->bytes()}.text(), text);
  }
  EXPECT_EQ(IpAddress{bytes_of("\xc0\x00\x02\x01"s)}.text(), "192.0.2.1");
}

TEST(IpAddress, IsNothingElse) {
  for (const char* text : {"", "192.0.2", "192.0.2.1.1", "192.0.2.256", "192.0.2.1/32", "[::1]", "fe80::1%eth0", "host",
                           ":", " 192.0.2.1", "192.0.2.1:80"})
    EXPECT_FALSE(IpAddress::from(text)) << text;
}

TEST(IpNetwork, HasALength) {
  EXPECT_NO_THROW(IpNetwork::from("10.0.0.0/8"));
  EXPECT_NO_THROW(IpNetwork::from("2001:db8::/32"));
  for (const char* text : {"", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "host/8", "/8", "10.0.0/x", "10.0.0.0/8x",
                           "2001:db8::/129", "default"})
    EXPECT_THROW(IpNetwork::from(text), std::invalid_argument) << text;
}

TEST(IpNetwork, IsWrittenByItsFirstAddress) {
  EXPECT_EQ(IpNetwork::from("192.0.2.77/26").text(), "192.0.2.64/26");
  EXPECT_EQ(IpNetwork::from("192.0.2.77/32").text(), "192.0.2.77/32");
  EXPECT_EQ(IpNetwork::from("192.0.2.77/0").text(), "0.0.0.0/0");
  EXPECT_EQ(IpNetwork::from("2001:db8:1:2::3/50").text(), "2001:db8:1::/50");
  EXPECT_EQ(IpNetwork::from(network_of_one("::1")).text(), "::1/128");
}

TEST(IpNetwork, HasTheAddressesThatBeginAlike) {
  const auto has = [](const char* network, const char* address) {
    return IpNetwork::from(network).has(*IpAddress::from(address));
  };
  EXPECT_TRUE(has("169.254.0.0/16", "169.254.169.254"));
  EXPECT_FALSE(has("169.254.0.0/16", "169.255.0.1"));
  EXPECT_TRUE(has("fe80::/10", "fe80::1"));
  EXPECT_FALSE(has("fe80::/10", "fec0::1"));
  EXPECT_FALSE(has("0.0.0.0/0", "::1"));
  EXPECT_TRUE(has("::/0", "::1"));
}

}  // namespace
}  // namespace tributary
