#include "tunnel/inner_filter.hh"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tunnel/own_addresses.hh"

namespace tributary {
namespace {

using bonding::Bytes;

constexpr const char *kOwn4 = "10.117.0.2", *kOwn6 = "fd74::2";

bool is_6(const std::string& address) { return address.find(':') != std::string::npos; }

/// A packet without contents but those behind its header.
Bytes packet(const std::string& from, const std::string& to, int protocol = 17, const Bytes& contents = Bytes(8)) {
  const bool of_6 = is_6(from);
  Bytes made(of_6 ? 40 : 20);
  made[0] = of_6 ? std::byte{0x60} : std::byte{0x45};
  made[of_6 ? 6 : 9] = static_cast<std::byte>(protocol);
  ::inet_pton(of_6 ? AF_INET6 : AF_INET, from.c_str(), made.data() + (of_6 ? 8 : 12));
  ::inet_pton(of_6 ? AF_INET6 : AF_INET, to.c_str(), made.data() + (of_6 ? 24 : 16));
  made.insert(made.end(), contents.begin(), contents.end());
  return made;
}

/// News of a router that this packet could not go on.
Bytes news(const std::string& router, const std::string& to, int type, const Bytes& of) {
  Bytes contents(8);
  contents[0] = static_cast<std::byte>(type);
  contents.insert(contents.end(), of.begin(), of.end());
  return packet(router, to, is_6(router) ? 58 : 1, contents);
}

InnerFilter filter_of(const std::vector<std::string>& networks) {
  bonding::Assignment assignment;
  ::inet_pton(AF_INET, kOwn4, assignment.ipv4.data());
  ::inet_pton(AF_INET6, kOwn6, assignment.ipv6.data());
  InnerFilter filter{networks};
  filter.own_addresses(assignment);
  return filter;
}

TEST(InnerFilter, LetsInWhatComesFromTheNetworksToUs) {
  const InnerFilter filter = filter_of({"203.0.112.0/23", "2001:db8::/33"});
  EXPECT_TRUE(filter.lets_in(packet("203.0.113.7", kOwn4)));
  EXPECT_TRUE(filter.lets_in(packet("2001:db8:7fff::1", kOwn6)));
  EXPECT_FALSE(filter.lets_in(packet("203.0.114.7", kOwn4))) << "another network";
  EXPECT_FALSE(filter.lets_in(packet("2001:db8:8000::1", kOwn6)));
  EXPECT_FALSE(filter.lets_in(packet("192.168.1.1", kOwn4))) << "a neighbour of ours";
  EXPECT_FALSE(filter.lets_in(packet("203.0.113.7", "192.168.1.2"))) << "another address of ours";
  EXPECT_FALSE(filter.lets_in(packet("203.0.113.7", "10.117.0.3")));
  EXPECT_FALSE(filter.lets_in(packet("2001:db8::1", "fd74::3")));
  EXPECT_FALSE(filter.lets_in({}));
  EXPECT_FALSE(filter.lets_in(Bytes(100)));
}

TEST(InnerFilter, LetsInEverythingToUsIfAllIsLedThrough) {
  const InnerFilter filter = filter_of({"0.0.0.0/0", "::/0"});
  EXPECT_TRUE(filter.lets_in(packet("192.0.2.1", kOwn4)));
  EXPECT_TRUE(filter.lets_in(packet("2001:db8::1", kOwn6)));
  EXPECT_FALSE(filter.lets_in(packet("192.0.2.1", "192.168.1.2")));
}

TEST(InnerFilter, LetsInNewsOfOurPacketsFromAnywhere) {
  const InnerFilter filter = filter_of({"203.0.113.0/24", "2001:db8::/32"});
  const Bytes ours4 = packet(kOwn4, "203.0.113.7"), ours6 = packet(kOwn6, "2001:db8::7");
  EXPECT_TRUE(filter.lets_in(news("192.0.2.1", kOwn4, 3, ours4)));
  EXPECT_TRUE(filter.lets_in(news("192.0.2.1", kOwn4, 11, ours4)));
  EXPECT_TRUE(filter.lets_in(news("2001:db9::1", kOwn6, 2, ours6)));
  EXPECT_FALSE(filter.lets_in(news("192.0.2.1", kOwn4, 8, ours4))) << "a question";
  EXPECT_FALSE(filter.lets_in(news("192.0.2.1", kOwn4, 5, ours4))) << "another way to go";
  EXPECT_FALSE(filter.lets_in(news("2001:db9::1", kOwn6, 137, ours6)));
  EXPECT_FALSE(filter.lets_in(news("192.0.2.1", kOwn4, 3, packet(kOwn4, "192.168.1.1")))) << "of what did not go there";
  EXPECT_FALSE(filter.lets_in(news("192.0.2.1", kOwn4, 3, packet("10.117.0.3", "203.0.113.7"))));
  EXPECT_FALSE(filter.lets_in(news("192.0.2.1", "192.168.1.2", 3, ours4)));
  const Bytes whole = news("192.0.2.1", kOwn4, 3, ours4);
  for (std::size_t size = 0; size < 48; ++size)
    EXPECT_FALSE(filter.lets_in(bonding::ByteSpan{whole}.first(size))) << size;
}

TEST(InnerFilter, KnowsNobodyBeforeItHasAnAddress) {
  EXPECT_FALSE(InnerFilter{{"0.0.0.0/0"}}.lets_in(packet("192.0.2.1", kOwn4)));
  EXPECT_THROW(InnerFilter{{"nowhere"}}, std::invalid_argument);
}

TEST(OwnAddresses, AreThoseOfOtherDevices) {
  EXPECT_EQ(device_with("127.0.0.1", "tributary0"), "lo");
  EXPECT_FALSE(device_with("127.0.0.1", "lo"));
  EXPECT_FALSE(device_with("192.0.2.77", "tributary0"));
}

}  // namespace
}  // namespace tributary
