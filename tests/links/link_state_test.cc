#include "links/interfaces/link_state.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

LinkState usable_link(const std::string& name) {
  LinkState link;
  link.name = name;
  link.interface_index = 2;
  link.up = link.carrier = true;
  link.ipv4 = {.addresses = {"192.0.2.7"}, .has_route = true, .gateway = {}};
  return link;
}

LinkStates only(const LinkState& link) { return {{link.name, link}}; }

/// "wlan0 usable: carrier", one for each notice.
std::vector<std::string> told(const LinkStates& before, const LinkStates& after) {
  std::vector<std::string> lines;
  for (const auto& [link, usable, why] : changes_between(before, after)) {
    lines.push_back(link.name + (usable ? " usable: " : " lost: ") + why);
  }
  return lines;
}

TEST(LinkState, NamesTheFirstObstacle) {
  LinkState link = usable_link("wlan0");
  EXPECT_FALSE(link.obstacle());
  link.ipv4.has_route = false;
  EXPECT_EQ(link.obstacle(), "no route to the origin");
  link.ipv4.addresses.clear();
  EXPECT_EQ(link.obstacle(), "no address");
  link.carrier = false;
  EXPECT_EQ(link.obstacle(), "no carrier");
  link.up = false;
  EXPECT_EQ(link.obstacle(), "interface down");
}

TEST(LinkState, NeedsAddressAndRouteOfTheSameFamily) {
  LinkState link = usable_link("wlan0");
  link.ipv4.has_route = false;
  link.ipv6.has_route = true;
  EXPECT_EQ(link.obstacle(), "no route to the origin");
}

TEST(LinkChanges, TellWhatWasLostAndWhatCameBack) {
  const LinkState link = usable_link("wlan0");
  LinkState without_carrier = link;
  without_carrier.carrier = false;

  EXPECT_THAT(told({}, only(link)), ElementsAre("wlan0 usable: device appeared"));
  EXPECT_THAT(told(only(link), only(without_carrier)), ElementsAre("wlan0 lost: no carrier"));
  EXPECT_THAT(told(only(without_carrier), only(link)), ElementsAre("wlan0 usable: carrier"));
  EXPECT_THAT(told(only(link), {}), ElementsAre("wlan0 lost: device deleted"));
}

TEST(LinkChanges, SayNothingOfWhatIsAsBefore) {
  const LinkState link = usable_link("wlan0");
  LinkState down = link;
  down.up = false;
  EXPECT_THAT(told(only(link), only(link)), IsEmpty());
  EXPECT_THAT(told({}, only(down)), IsEmpty());
  EXPECT_THAT(told(only(down), {}), IsEmpty());
}

TEST(LinkChanges, ALinkWhoseConnectionsCannotHaveSurvivedIsLostAndBack) {
  const LinkState link = usable_link("wlan0");
  LinkState renumbered = link;
  renumbered.ipv4.addresses = {"192.0.2.8"};
  LinkState replaced = link;
  replaced.interface_index = 3;

  EXPECT_THAT(told(only(link), only(renumbered)),
              ElementsAre("wlan0 lost: address changed", "wlan0 usable: address changed"));
  EXPECT_THAT(told(only(link), only(replaced)),
              ElementsAre("wlan0 lost: device replaced", "wlan0 usable: device replaced"));
}

TEST(LinkChanges, AnAdditionalAddressBreaksNothing) {
  const LinkState link = usable_link("wlan0");
  LinkState with_more = link;
  with_more.ipv4.addresses.insert("192.0.2.9");
  EXPECT_THAT(told(only(link), only(with_more)), IsEmpty());
  EXPECT_THAT(told(only(with_more), only(link)), IsEmpty());
}

}  // namespace
}  // namespace tributary
