#include "units/text/host.hh"

#include <gtest/gtest.h>

#include <string_view>
#include <tuple>

namespace tributary {
namespace {

std::tuple<std::string_view, std::string_view> split(std::string_view text) {
  const auto parts = split_host(text);
  return parts ? std::tuple{parts->host, parts->port.value_or("none")}
               : std::tuple<std::string_view, std::string_view>{};
}

TEST(Host, IsSplitFromItsPort) {
  EXPECT_EQ(split("host"), std::tuple("host", "none"));
  EXPECT_EQ(split("host:80"), std::tuple("host", "80"));
  EXPECT_EQ(split("[2001:db8::1]:80"), std::tuple("2001:db8::1", "80"));
  EXPECT_EQ(split("[2001:db8::1]"), std::tuple("2001:db8::1", "none"));
  EXPECT_EQ(split("2001:db8::"), std::tuple("2001:db8::", "none"));
  EXPECT_EQ(split("[fe80::1%eth0]:80"), std::tuple("fe80::1%eth0", "80"));
  EXPECT_EQ(split(":80"), std::tuple("", "80"));
  EXPECT_EQ(split("host:"), std::tuple("host", ""));
  EXPECT_EQ(split(""), std::tuple("", "none"));
}

TEST(Host, HasItsBracketsAroundAllOfIt) {
  for (const char* const text : {"[", "[::1", "[::1]80"}) EXPECT_FALSE(split_host(text)) << text;
}

TEST(Host, APortIsOneOf65536) {
  EXPECT_EQ(port_number("0"), 0);
  EXPECT_EQ(port_number("65535"), 65535);
  for (const char* const text : {"", "65536", "72654", "-1", "+1", "80 ", "0x50"})
    EXPECT_FALSE(port_number(text)) << text;
}

TEST(Host, NamesAnInterfaceBehindAPercentSign) {
  EXPECT_EQ(zone_of("fe80::1%eth0.5"), "eth0.5");
  EXPECT_EQ(without_zone("fe80::1%eth0.5"), "fe80::1");
  EXPECT_EQ(zone_of("fe80::1%"), "");
  EXPECT_EQ(zone_of("fe80::1"), "");
  EXPECT_EQ(without_zone("fe80::1"), "fe80::1");
}

}  // namespace
}  // namespace tributary
