#include "bonding/inner/possible_assignment.hh"

#include <gtest/gtest.h>

namespace tributary::bonding {
namespace {

using namespace literals;

std::array<std::byte, 4> ipv4(unsigned a, unsigned b, unsigned c, unsigned d) {
  return {static_cast<std::byte>(a), static_cast<std::byte>(b), static_cast<std::byte>(c), static_cast<std::byte>(d)};
}
std::array<std::byte, 16> ipv6(unsigned first, unsigned second, unsigned last) {
  std::array<std::byte, 16> address{static_cast<std::byte>(first), static_cast<std::byte>(second)};
  address.back() = static_cast<std::byte>(last);
  return address;
}
bool is_possible_with(const std::array<std::byte, 4>& address, const std::array<std::byte, 16>& address6 = {},
                      DataSize mtu = 1280_B) {
  return is_possible({ConnectionId{1}, address, address6, mtu});
}

TEST(PossibleAssignment, HasAnAddressThatAMachineCanHave) {
  EXPECT_TRUE(is_possible_with(ipv4(10, 117, 0, 2)));
  EXPECT_TRUE(is_possible_with(ipv4(203, 0, 113, 7)));
  for (const auto& address :
       {ipv4(0, 0, 0, 0), ipv4(0, 0, 0, 1), ipv4(127, 0, 0, 1), ipv4(127, 9, 9, 9), ipv4(169, 254, 169, 254),
        ipv4(224, 0, 0, 1), ipv4(239, 1, 1, 1), ipv4(240, 0, 0, 1), ipv4(255, 255, 255, 255)}) {
    EXPECT_FALSE(is_possible_with(address)) << std::to_integer<int>(address[0]);
  }
}

TEST(PossibleAssignment, HasAnAddressOfIpv6ThatAMachineCanHaveOrNone) {
  constexpr auto kIpv4 = std::array{std::byte{10}, std::byte{117}, std::byte{0}, std::byte{2}};
  EXPECT_TRUE(is_possible_with(kIpv4, ipv6(0xfd, 0x74, 2)));
  EXPECT_TRUE(is_possible_with(kIpv4, ipv6(0x20, 0x01, 2)));
  for (const auto& address : {ipv6(0, 0, 1), ipv6(0xfe, 0x80, 1), ipv6(0xfe, 0xbf, 1), ipv6(0xff, 0x02, 1)})
    EXPECT_FALSE(is_possible_with(kIpv4, address)) << std::to_integer<int>(address[0]);
  auto mapped = ipv6(0, 0, 1);
  mapped[10] = mapped[11] = std::byte{0xff};
  EXPECT_FALSE(is_possible_with(kIpv4, mapped));
}

TEST(PossibleAssignment, HasPacketsThatTheFamilyCanHave) {
  const auto address = ipv4(10, 117, 0, 2);
  EXPECT_FALSE(is_possible_with(address, {}, 0_B));
  EXPECT_FALSE(is_possible_with(address, {}, 575_B));
  EXPECT_TRUE(is_possible_with(address, {}, 576_B));
  EXPECT_FALSE(is_possible_with(address, ipv6(0xfd, 0x74, 2), 1279_B));
  EXPECT_TRUE(is_possible_with(address, ipv6(0xfd, 0x74, 2), 65'535_B));
}

}  // namespace
}  // namespace tributary::bonding
