#include "tunnel/machine/relay_address.hh"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>

#include "tunnel/machine/bonding_words.hh"
#include "tunnel/machine/device_network.hh"

namespace tributary {
namespace {

std::tuple<std::string, int> parsed(const char* text) {
  const RelayName relay = parse_relay(text);
  return {relay.host, relay.port};
}

TEST(RelayAddress, IsAHostWithAPortOrWithout) {
  EXPECT_EQ(parsed("relay.example"), std::tuple("relay.example", 7117));
  EXPECT_EQ(parsed("192.0.2.1:80"), std::tuple("192.0.2.1", 80));
  EXPECT_EQ(parsed("2001:db8::1"), std::tuple("2001:db8::1", 7117));
  EXPECT_EQ(parsed("[2001:db8::1]"), std::tuple("2001:db8::1", 7117));
  EXPECT_EQ(parsed("[2001:db8::1]:9"), std::tuple("2001:db8::1", 9));
}

TEST(RelayAddress, AnythingElseIsRefused) {
  for (const char* text :
       {"", ":80", "host:", "host:0", "host:65536", "host:8o", "[::1", "[::1]80", "[]:1", "https://host", "host/path"})
    EXPECT_THROW(parse_relay(text), std::invalid_argument) << text;
}

TEST(RelayAddress, AddressesAreToldAsTheyWereGiven) {
  EXPECT_EQ(address_text(addresses_of({.host = "192.0.2.1"}).at(0)), "192.0.2.1");
  EXPECT_EQ(address_text(addresses_of({.host = "2001:db8::1", .port = 5}).at(0)), "2001:db8::1");
  EXPECT_EQ(addresses_of({.host = "2001:db8::1", .port = 5}).at(0).port, 5);
  EXPECT_THROW(addresses_of({.host = "nowhere.invalid"}), std::runtime_error);
}

TEST(DeviceNames, AreThoseThatTheSystemAndTheCommandLineTake) {
  EXPECT_NO_THROW(expect_device_name("tributary0"));
  EXPECT_NO_THROW(expect_device_name("a-b_c.15letters"));
  for (const char* text : {"", "-x", "sixteen_letters_", "a/b", "a b", "..", "a\"b", "a%d"})
    EXPECT_THROW(expect_device_name(text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace tributary
