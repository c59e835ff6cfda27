#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link_check/set_up/link_changes_made.hh"

namespace tributary {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

LinkToSetUp link(const std::string& address = "", const std::string& router = "") {
  LinkToSetUp link;
  link.state.name = "wifi";
  link.state.interface_index = 3;
  link.state.up = link.state.carrier = true;
  if (!address.empty()) link.state.ipv4.addresses = {address};
  link.state.ipv4.gateway = router;
  return link;
}

std::vector<std::string> commands(const std::vector<SetUpStep>& steps) {
  std::vector<std::string> texts;
  for (const SetUpStep& step : steps) texts.push_back(command_text(step.command));
  return texts;
}

TEST(WantedSteps, ALinkWithAnAddressGetsATableOfItsOwn) {
  EXPECT_THAT(commands(wanted_steps(link("192.0.2.77/26", "192.0.2.65"), {})),
              ElementsAre("ip route add 192.0.2.64/26 dev wifi src 192.0.2.77 table 7117003",
                          "ip rule add from 192.0.2.77 lookup 7117003 priority 7117",
                          "ip route add default via 192.0.2.65 dev wifi table 7117003 metric 40000",
                          "ip rule add oif wifi lookup 7117003 priority 7117"));
}

TEST(WantedSteps, AnIpv6LinkHasRulesForAllItsAddressesAndOneRouteForEachNetwork) {
  LinkToSetUp six = link();
  six.managed = true;  // no DHCP
  six.state.ipv6.addresses = {"2001:db8:1::7/64", "2001:db8:1::8/64", "2001:db8:2::7"};
  EXPECT_THAT(wanted_steps(six, {}), IsEmpty());  // no router yet
  six.state.ipv6.gateway = "fe80::1";
  EXPECT_THAT(commands(wanted_steps(six, {})),
              ElementsAre("ip -6 route add 2001:db8:1::/64 dev wifi table 7117003",
                          "ip -6 rule add from 2001:db8:1::7 lookup 7117003 priority 7117",
                          "ip -6 rule add from 2001:db8:1::8 lookup 7117003 priority 7117",
                          "ip -6 rule add from 2001:db8:2::7 lookup 7117003 priority 7117",
                          "ip -6 route add fe80::/64 dev wifi table 7117003",
                          "ip -6 route add default via fe80::1 dev wifi table 7117003 metric 40000",
                          "ip -6 rule add oif wifi lookup 7117003 priority 7117"));
}

TEST(WantedSteps, AnAddressThatIsAloneInItsNetworkNeedsNoRouteToThat) {
  EXPECT_THAT(commands(wanted_steps(link("192.0.2.7", "192.0.2.1"), {})),
              ElementsAre("ip rule add from 192.0.2.7 lookup 7117003 priority 7117",
                          "ip route add default via 192.0.2.1 dev wifi table 7117003 metric 40000",
                          "ip rule add oif wifi lookup 7117003 priority 7117"));
}

TEST(WantedSteps, GivenAddressesOfBothVersionsAreForeseenToHaveATableEach) {
  LinkToSetUp given = link();
  given.fixed = FixedAddress{{"192.0.2.7/24", "2001:db8::7/64"}, {"192.0.2.1", "2001:db8::1"}};
  const auto first = wanted_steps(given, {});
  for (const SetUpStep& step : first) foresee(given, step);
  EXPECT_EQ(given.state.ipv4.gateway, "192.0.2.1");
  EXPECT_EQ(given.state.ipv6.gateway, "2001:db8::1");
  EXPECT_THAT(commands(wanted_steps(given, first)),
              testing::IsSupersetOf({"ip rule add from 192.0.2.7 lookup 7117003 priority 7117",
                                     "ip -6 rule add from 2001:db8::7 lookup 7117003 priority 7117",
                                     "ip -6 route add default via 2001:db8::1 dev wifi table 7117003 metric 40000"}));
}

TEST(WantedSteps, ALinkThatIsDownOrWithoutCableIsAskedForNoMore) {
  LinkToSetUp down = link();
  down.state.up = down.state.carrier = false;
  EXPECT_THAT(commands(wanted_steps(down, {})), ElementsAre("ip link set wifi up"));
  down.state.up = true;
  EXPECT_THAT(wanted_steps(down, {}), IsEmpty());
}

TEST(WantedSteps, WithoutAnAddressItAsksByDhcpAsLongAsThereIsACable) {
  const auto asked = wanted_steps(link(), {});
  ASSERT_THAT(commands(asked), ElementsAre(StartsWith("env IF_METRIC=30003 udhcpc -i wifi")));
  EXPECT_THAT(commands(wanted_steps(link("192.0.2.7/24"), asked)), Contains(StartsWith("env")));  // it goes on
  LinkToSetUp pulled = link("192.0.2.7/24");
  pulled.state.carrier = false;
  EXPECT_THAT(commands(wanted_steps(pulled, asked)), Not(Contains(StartsWith("env"))));
}

TEST(WantedSteps, GivenAddressesTakeThePlaceOfDhcp) {
  LinkToSetUp given = link();
  given.fixed = FixedAddress{{"192.0.2.7/24", "2001:db8::7/64"}, {"192.0.2.1", "2001:db8::1"}};
  EXPECT_THAT(commands(wanted_steps(given, {})),
              ElementsAre("ip address add 192.0.2.7/24 dev wifi", "ip -6 address add 2001:db8::7/64 dev wifi",
                          "ip route add default via 192.0.2.1 dev wifi metric 30003",
                          "ip -6 route add default via 2001:db8::1 dev wifi metric 30003"));
}

TEST(WantedSteps, WhatNetworkManagerManagesIsLeftToItButForTheTable) {
  LinkToSetUp managed = link();
  managed.managed = true;
  EXPECT_THAT(wanted_steps(managed, {}), IsEmpty());
  managed = link("192.0.2.7/24", "192.0.2.1");
  managed.managed = true;
  EXPECT_EQ(wanted_steps(managed, {}), wanted_steps(link("192.0.2.7/24", "192.0.2.1"), {}));
}

TEST(WantedSteps, WhatWasThereBeforeIsUndoneAndNotWhatWeMadeOfIt) {
  LinkToSetUp strict = link();
  strict.managed = true;
  strict.state.carrier = false;
  strict.strict_reverse_path = true;
  strict.reverse_path = "1";
  const auto steps = wanted_steps(strict, {});
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(command_text(steps[0].undo), "sysctl -q -w net/ipv4/conf/wifi/rp_filter=1");
  strict.strict_reverse_path = false;
  strict.reverse_path = "2";
  EXPECT_EQ(wanted_steps(strict, steps), steps);
}

TEST(CommandText, CanBeGivenToAShell) {
  EXPECT_EQ(command_text({"ip", "link", "set", "a b", "it's"}), "ip link set 'a b' 'it'\\''s'");
}

class LinkChangesMadeTest : public testing::Test {
 protected:
  LinkChangesMade changes{{.run =
                               [this](const auto&, const auto& command) {
                                 done.push_back(command_text(command));
                                 return command_text(command) != fails;
                               },
                           .undo = [this](const auto&, const auto& command) { done.push_back(command_text(command)); },
                           .note = [this](const auto& undoing) { noted = undoing.size(); },
                           .start =
                               [this](const auto&, const auto& command) {
                                 done.push_back("start");
                                 started = command_text(command);
                                 return true;
                               },
                           .end = [this](const auto&, const auto&) { done.push_back("end"); }}};
  std::vector<std::string> take() { return std::exchange(done, {}); }

  std::vector<std::string> done;
  std::string fails, started;
  std::size_t noted = 0;
};

TEST_F(LinkChangesMadeTest, EachChangeIsMadeOnceAndPutBackInReverse) {
  const std::map<std::string, LinkToSetUp> links{{"wifi", link("192.0.2.7/24", "192.0.2.1")}};
  EXPECT_TRUE(changes.links_are(links));
  EXPECT_EQ(take().size(), 4U);
  EXPECT_EQ(noted, 4U);
  EXPECT_FALSE(changes.links_are(links));
  EXPECT_THAT(done, IsEmpty());
  changes.put_back();
  EXPECT_THAT(done, ElementsAre(StartsWith("ip rule del oif"), StartsWith("ip route del default"),
                                StartsWith("ip rule del from"), StartsWith("ip route del 192.0.2.0/24")));
  EXPECT_EQ(noted, 0U);
}

TEST_F(LinkChangesMadeTest, AnotherAddressTakesThePlaceOfTheOneBefore) {
  changes.links_are({{"wifi", link("192.0.2.7/24", "192.0.2.1")}});
  take();
  changes.links_are({{"wifi", link("192.0.2.8/24", "192.0.2.1")}});
  EXPECT_THAT(done, ElementsAre(StartsWith("ip rule del from 192.0.2.7"), HasSubstr("del 192.0.2.0/24"),
                                testing::HasSubstr("src 192.0.2.8"), StartsWith("ip rule add from 192.0.2.8")));
}

TEST_F(LinkChangesMadeTest, AnAddressForPrivacyThatIsGoneTakesOnlyItsRuleAlong) {
  LinkToSetUp six = link();
  six.managed = true;
  six.state.ipv6.addresses = {"2001:db8::7/64", "2001:db8::8/64"};
  six.state.ipv6.gateway = "fe80::1";
  changes.links_are({{"wifi", six}});
  take();
  six.state.ipv6.addresses = {"2001:db8::8/64", "2001:db8::9/64"};
  changes.links_are({{"wifi", six}});
  EXPECT_THAT(take(), ElementsAre(StartsWith("ip -6 rule del from 2001:db8::7 "),
                                  StartsWith("ip -6 rule add from 2001:db8::9 ")));
  changes.put_back();
  EXPECT_THAT(done, testing::UnorderedElementsAre(
                        StartsWith("ip -6 rule del from 2001:db8::9 "), StartsWith("ip -6 rule del oif"),
                        StartsWith("ip -6 route del default"), StartsWith("ip -6 route del fe80::/64"),
                        StartsWith("ip -6 rule del from 2001:db8::8 "), StartsWith("ip -6 route del 2001:db8::/64")));
}

TEST_F(LinkChangesMadeTest, OfALinkThatIsGoneOnlyTheRulesAreLeft) {
  changes.links_are({{"wifi", link("192.0.2.7/24", "192.0.2.1")}});
  take();
  EXPECT_TRUE(changes.links_are({}));
  EXPECT_THAT(done, ElementsAre(StartsWith("ip rule del oif"), StartsWith("ip rule del from")));
}

TEST_F(LinkChangesMadeTest, WhatFailedIsTriedAgainWhenItIsWantedAnew) {
  fails = "ip rule add oif wifi lookup 7117003 priority 7117";
  const std::map<std::string, LinkToSetUp> links{{"wifi", link("192.0.2.7/24", "192.0.2.1")}},
      without{{"wifi", link("192.0.2.7/24")}};
  changes.links_are(links);
  take();
  EXPECT_FALSE(changes.links_are(links));
  EXPECT_THAT(done, IsEmpty());
  changes.links_are(without);
  take();
  fails.clear();
  changes.links_are(links);
  EXPECT_THAT(done, Contains("ip rule add oif wifi lookup 7117003 priority 7117"));
}

TEST_F(LinkChangesMadeTest, TheAddressThatALinkHadIsAskedForAgain) {
  changes.links_are({{"wifi", link()}});
  EXPECT_THAT(started, Not(HasSubstr(" -r ")));
  EXPECT_THAT(take(), ElementsAre("start"));
  changes.links_are({{"wifi", link("192.0.2.7/24")}});
  EXPECT_THAT(done, IsEmpty());  // the service goes on
  changes.links_are({});
  EXPECT_THAT(take(), ElementsAre("end"));
  changes.links_are({{"wifi", link()}});
  EXPECT_THAT(take(), ElementsAre("start"));
  EXPECT_THAT(started, HasSubstr(" udhcpc -i wifi -f -R -t 5 -T 2 -A 5 -r 192.0.2.7 -s "));
}

TEST_F(LinkChangesMadeTest, AServiceRunsUntilTheCableIsPulled) {
  changes.links_are({{"wifi", link()}});
  EXPECT_THAT(take(), ElementsAre("start"));
  LinkToSetUp pulled = link();
  pulled.state.carrier = false;
  changes.links_are({{"wifi", pulled}});
  EXPECT_THAT(take(), ElementsAre("end"));
  changes.links_are({{"wifi", link()}});
  EXPECT_THAT(take(), ElementsAre("start"));
}

}  // namespace
}  // namespace tributary
