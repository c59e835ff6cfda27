#include "links/interfaces/netlink_link_monitor.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <system_error>

#include "links/interfaces/link_name.hh"
#include "links/interfaces/link_snapshot.hh"
#include "network_namespace.hh"
#include "system/virtual_device.hh"

namespace tributary {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr int kPatience_ms = 5000;

/// "wifi usable: carrier" for each notice; waits until there is one.
std::vector<std::string> next_notices(NetlinkLinkMonitor& monitor) {
  std::vector<std::string> lines;
  pollfd waiting{.fd = monitor.file_descriptor(), .events = POLLIN, .revents = 0};
  do {
    for (const auto& [link, usable, why] : monitor.poll()) {
      lines.push_back(link.name + (usable ? " usable: " : " lost: ") + why);
    }
  } while (lines.empty() && ::poll(&waiting, 1, kPatience_ms) > 0);
  return lines;
}

/// Two links, "wifi" and "lte", each with an address and a default route in a table of its own. The other
/// ends of the cables are "wifi-peer" and "lte-peer"; taking one down takes the carrier.
class NetlinkLinkMonitorTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!enter_fresh_network_namespace()) GTEST_SKIP() << "no network namespace of our own is allowed here";
    ip("link set lo up");
    add_link("wifi", "10.1.0.2/24", "10.1.0.1", 101);
    add_link("lte", "10.2.0.2/24", "10.2.0.1", 102);
  }

  static void add_link(const std::string& name, const std::string& address, const std::string& gateway, int table) {
    ip("link add " + name + " type veth peer name " + name + "-peer");
    ip("link set " + name + "-peer up");
    ip("link set " + name + " up");
    ip("address add " + address + " dev " + name);
    ip("route add default via " + gateway + " dev " + name + " table " + std::to_string(table));
  }

  const std::vector<std::string> origin_{"203.0.113.5"};
};

TEST_F(NetlinkLinkMonitorTest, TellsTheUsableLinksFirst) {
  NetlinkLinkMonitor monitor{origin_};
  const auto notices = monitor.poll();
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_TRUE(notices[0].usable);
  EXPECT_TRUE(notices[0].link.has_ipv4);
  EXPECT_FALSE(notices[0].link.has_ipv6);
  EXPECT_EQ(notices[0].link.kind, "virtual");
  EXPECT_GT(notices[0].link.interface_index, 0u);
  EXPECT_THAT((std::vector{notices[0].link.name, notices[1].link.name}), UnorderedElementsAre("wifi", "lte"));
  EXPECT_THAT(monitor.poll(), IsEmpty());
}

TEST_F(NetlinkLinkMonitorTest, AnAddressOfTheLinkItselfLeadsToServersOnTheLink) {
  ip("address del 10.1.0.2/24 dev wifi");
  ip("address add 169.254.7.2/16 dev wifi scope link");
  ip("route add default dev wifi table 101");
  ip("-6 address add fe80::7/64 dev lte nodad");
  ip("-6 route add default dev lte");
  const auto usable = [](const std::string& origin) {
    const LinkStates links = LinkSnapshot{{origin}}.take();
    return std::pair{!links.at("wifi").obstacle(), !links.at("lte").obstacle()};
  };
  EXPECT_TRUE(usable("169.254.1.1").first);
  EXPECT_TRUE(usable("fe80::1").second);
  EXPECT_FALSE(usable("203.0.113.5").first);
  EXPECT_FALSE(usable("2001:db8::1").second);
}

TEST_F(NetlinkLinkMonitorTest, OnlyTheInterfaceThatAnAddressNamesLeadsToIt) {
  for (const char* link : {"wifi", "lte"}) ip(fmt::format("-6 address add fe80::7/64 dev {} nodad", link));
  const auto usable = [](const std::string& origin) {
    const LinkStates links = LinkSnapshot{{origin}}.take();
    return std::pair{!links.at("wifi").obstacle(), !links.at("lte").obstacle()};
  };
  EXPECT_EQ(usable("fe80::1%wifi"), (std::pair{true, false}));
  EXPECT_EQ(usable("fe80::1%lte"), (std::pair{false, true}));
  EXPECT_EQ(usable("fe80::1%nosuch0"), (std::pair{false, false}));
}

TEST_F(NetlinkLinkMonitorTest, ALinkHasAlternativeNames) {
  const std::string longest(127, 'n');
  ip("link property add dev wifi altname enp0s20f0u1u4u3c2 altname " + longest);
  for (const std::string& name : {std::string{"wifi"}, std::string{"enp0s20f0u1u4u3c2"}, longest})
    EXPECT_EQ(link_name(name), "wifi") << name;
  for (const std::string& name : {std::string{"nosuch0"}, std::string{"WIFI"}, std::string{}, longest + "n"})
    EXPECT_EQ(link_name(name), name);
}

TEST_F(NetlinkLinkMonitorTest, CarrierIsLostAndReturns) {
  NetlinkLinkMonitor monitor{origin_};
  monitor.poll();
  ip("link set wifi-peer down");
  EXPECT_THAT(next_notices(monitor), ElementsAre("wifi lost: no carrier"));
  ip("link set wifi-peer up");
  EXPECT_THAT(next_notices(monitor), ElementsAre("wifi usable: carrier"));
}

TEST_F(NetlinkLinkMonitorTest, AddressIsRemovedAndAddedAgain) {
  NetlinkLinkMonitor monitor{origin_};
  monitor.poll();
  ip("address del 10.1.0.2/24 dev wifi");
  EXPECT_THAT(next_notices(monitor), ElementsAre("wifi lost: no address"));
  ip("address add 10.1.0.2/24 dev wifi");  // the default route went with the address
  ip("route replace default via 10.1.0.1 dev wifi table 101");
  EXPECT_THAT(next_notices(monitor), ElementsAre("wifi usable: address added"));
}

TEST_F(NetlinkLinkMonitorTest, RouteIsRemovedAndAddedAgain) {
  NetlinkLinkMonitor monitor{origin_};
  monitor.poll();
  ip("route del default table 102");
  EXPECT_THAT(next_notices(monitor), ElementsAre("lte lost: no route to the origin"));
  ip("route add 203.0.113.0/24 via 10.2.0.1 dev lte");  // a covering prefix in the main table does as well
  EXPECT_THAT(next_notices(monitor), ElementsAre("lte usable: route added"));
}

TEST_F(NetlinkLinkMonitorTest, DeviceIsDeletedAndReturns) {
  NetlinkLinkMonitor monitor{origin_};
  monitor.poll();
  ip("link del wifi");
  EXPECT_THAT(next_notices(monitor), ElementsAre("wifi lost: device deleted"));
  add_link("wifi", "10.1.0.2/24", "10.1.0.1", 101);
  EXPECT_THAT(next_notices(monitor), ElementsAre("wifi usable: device appeared"));
}

TEST_F(NetlinkLinkMonitorTest, AChangeThatWasUndoneIsNotTold) {
  NetlinkLinkMonitor monitor{origin_};
  monitor.poll();
  ip("link set wifi-peer down");
  ip("link set wifi-peer up");
  EXPECT_THAT(monitor.poll(), IsEmpty());
}

TEST_F(NetlinkLinkMonitorTest, ARouteToSomewhereElseDoesNotHelp) {
  ip("route del default table 101");
  ip("route add 198.51.100.0/24 via 10.1.0.1 dev wifi");
  NetlinkLinkMonitor monitor{origin_};
  EXPECT_THAT(next_notices(monitor), ElementsAre("lte usable: device appeared"));
}

TEST_F(NetlinkLinkMonitorTest, AnIpv6OriginNeedsIpv6) {
  ip("address add 2001:db8:1::2/64 dev wifi nodad");
  ip("-6 route add default via 2001:db8:1::1 dev wifi");
  NetlinkLinkMonitor monitor{{"2001:db8:ffff::5"}};
  const auto notices = monitor.poll();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_EQ(notices[0].link.name, "wifi");
  EXPECT_TRUE(notices[0].link.has_ipv6);
  EXPECT_FALSE(notices[0].link.has_ipv4);
}

TEST_F(NetlinkLinkMonitorTest, NamedLinksOnly) {
  NetlinkLinkMonitor monitor{origin_, {"lte"}};
  EXPECT_THAT(next_notices(monitor), ElementsAre("lte usable: device appeared"));
}

TEST_F(NetlinkLinkMonitorTest, ANamedLinkThatDoesNotExistIsToldAndMayAppear) {
  NetlinkLinkMonitor monitor{origin_, {"usb", "lte"}};
  EXPECT_THAT(next_notices(monitor), ElementsAre("lte usable: device appeared", "usb lost: no such interface"));
  add_link("usb", "10.3.0.2/24", "10.3.0.1", 103);
  EXPECT_THAT(next_notices(monitor), ElementsAre("usb usable: device appeared"));
}

/// wifi is the machine's way to the internet; vpn is a tunnel in software.
class VpnTest : public NetlinkLinkMonitorTest {
 protected:
  void SetUp() override {
    NetlinkLinkMonitorTest::SetUp();
    if (IsSkipped()) return;
    ip("route add default via 10.1.0.1 dev wifi");
    try {
      device_.emplace("vpn", VirtualDevice::Layer::kPackets);
    } catch (const std::system_error& error) {
      GTEST_SKIP() << error.what();
    }
    ip("address add 10.8.0.2/24 dev vpn");
  }
  static void lead_all() {
    ip("link set vpn up");
    ip("route add 0.0.0.0/1 dev vpn");
    ip("route add 128.0.0.0/1 dev vpn");
  }

 private:
  std::optional<VirtualDevice> device_;
};

TEST_F(VpnTest, OneThatLeadsAllIsTheOnlyLink) {
  lead_all();
  NetlinkLinkMonitor monitor{origin_};
  EXPECT_THAT(next_notices(monitor), ElementsAre("vpn usable: device appeared"));
}

TEST_F(VpnTest, SoIsOneThatLeadsByRules) {
  ip("link set vpn up");
  ip("route add default dev vpn table 51820");
  ip("rule add not fwmark 51820 table 51820");
  ip("rule add table main suppress_prefixlength 0");
  NetlinkLinkMonitor monitor{origin_};
  EXPECT_THAT(next_notices(monitor), ElementsAre("vpn usable: device appeared"));
}

TEST_F(VpnTest, NamedLinksAreUsedBesideIt) {
  lead_all();
  NetlinkLinkMonitor monitor{origin_, {"wifi"}};
  EXPECT_THAT(next_notices(monitor), ElementsAre("wifi usable: device appeared"));
}

TEST_F(VpnTest, OneThatLeadsToSomeNetworksChangesNothing) {
  ip("link set vpn up");
  ip("route add 203.0.113.0/24 dev vpn");
  NetlinkLinkMonitor monitor{origin_};
  EXPECT_EQ(next_notices(monitor).size(), 3u);
}

TEST_F(VpnTest, AnOriginThatIsReachedBesideItOnPurposeIsReachedByAllLinks) {
  lead_all();
  ip("route add 203.0.113.5/32 via 10.1.0.1 dev wifi");
  NetlinkLinkMonitor monitor{origin_};
  EXPECT_EQ(next_notices(monitor).size(), 3u);
}

TEST_F(VpnTest, ACableOfAContainerIsNone) {
  ip("link set vpn up");
  ip("route add 0.0.0.0/1 dev lte");
  ip("route add 128.0.0.0/1 dev lte");
  NetlinkLinkMonitor monitor{origin_};
  EXPECT_EQ(next_notices(monitor).size(), 2u);
}

TEST_F(VpnTest, LinksAreLeftWhenItComesAndComeBackWhenItGoes) {
  NetlinkLinkMonitor monitor{origin_};
  monitor.poll();
  ip("link set vpn up");
  ip("route add default dev vpn table 51820");
  ip("rule add table 51820");  // the last step
  std::vector<std::string> told;
  while (told.size() < 3) {
    const auto more = next_notices(monitor);
    ASSERT_THAT(more, testing::Not(IsEmpty()));
    told.insert(told.end(), more.begin(), more.end());
  }
  EXPECT_THAT(told, UnorderedElementsAre("wifi lost: a VPN leads all traffic", "lte lost: a VPN leads all traffic",
                                         "vpn usable: interface up"));
  ip("rule delete table 51820");
  EXPECT_THAT(next_notices(monitor),
              UnorderedElementsAre("wifi usable: the VPN has gone", "lte usable: the VPN has gone"));
}

TEST_F(NetlinkLinkMonitorTest, LoopbackCountsIfTheOriginIsThere) {
  NetlinkLinkMonitor monitor{{"127.0.0.1", "::1"}};
  const auto notices = monitor.poll();
  ASSERT_EQ(notices.size(), 1u);  // default routes of other links do not lead to it
  EXPECT_EQ(notices[0].link.name, "lo");
  EXPECT_EQ(notices[0].link.kind, "loopback");
  EXPECT_TRUE(notices[0].usable);
}

TEST_F(NetlinkLinkMonitorTest, ANamedLoopbackSaysWhyItIsNotUsable) {
  NetlinkLinkMonitor monitor{origin_, {"lo"}};
  const auto notices = monitor.poll();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_FALSE(notices[0].usable);
  EXPECT_EQ(notices[0].why, "no route to the origin");
}

TEST(NetlinkLinkMonitor, RefusesWhatIsNotAnAddress) {
  EXPECT_THROW(NetlinkLinkMonitor{{"example.org"}}, std::invalid_argument);
}

/// Exits with 0 if a monitor can be made and asked by an ordinary user.
[[noreturn]] void watch_as_nobody() {
  constexpr uid_t kNobody = 65534;
  if (getuid() == 0 && setuid(kNobody) != 0) _exit(2);
  const std::vector<std::string> only{"nosuchlink0"};
  NetlinkLinkMonitor monitor{{"127.0.0.1"}, only};
  _exit(monitor.poll().size() == 1 ? 0 : 1);
}

TEST(NetlinkLinkMonitor, NeedsNoPrivileges) { EXPECT_EXIT(watch_as_nobody(), testing::ExitedWithCode(0), ""); }

}  // namespace
}  // namespace tributary
