#include "links/link_catalogue.hh"

#include <gtest/gtest.h>

#include <algorithm>

namespace tributary {
namespace {

const std::string kOrigin{"https://example.org"};
const std::vector<std::string> kHere{"127.0.0.1"}, kElsewhere{"192.0.2.1"};

ConnectProxy proxy_at(const std::vector<std::string>& addresses) { return {"http://proxy:3128", addresses}; }

/// The links that the first look finds usable.
std::vector<std::string> usable(LinkMonitor& links) {
  std::vector<std::string> names;
  for (const LinkChangeNotice& notice : links.poll()) {
    if (notice.usable) names.push_back(notice.link.name);
  }
  std::ranges::sort(names);
  return names;
}

TEST(LinkCatalogue, AProxyIsOneMoreLink) {
  LinkCatalogue catalogue;
  catalogue.add("office", proxy_at(kHere));
  EXPECT_EQ(usable(*catalogue.watch(kHere)), (std::vector<std::string>{"lo", "office"}));
  EXPECT_EQ(usable(*catalogue.watch(kHere, {"office"})), (std::vector<std::string>{"office"}));
  EXPECT_EQ(usable(*catalogue.watch(kHere, {"lo"})), (std::vector<std::string>{"lo"}));
}

TEST(LinkCatalogue, EachLinkHasItsWay) {
  LinkCatalogue catalogue;
  catalogue.add("office", proxy_at(kHere));
  const Way office = catalogue.way("office", kOrigin), wlan = catalogue.way("wlan0", kOrigin);
  EXPECT_EQ(office.device, "");
  ASSERT_TRUE(office.proxy);
  EXPECT_EQ(office.proxy->url, "http://proxy:3128");
  EXPECT_FALSE(office.carries_datagrams());
  EXPECT_EQ(wlan.device, "wlan0");
  EXPECT_FALSE(wlan.proxy);
  EXPECT_TRUE(wlan.carries_datagrams());
}

TEST(LinkCatalogue, AProxyLeadsAllInterfaces) {
  LinkCatalogue catalogue;
  catalogue.add("office", proxy_at(kHere));
  catalogue.lead_through([](const std::string& origin) {
    return origin == kOrigin ? std::make_shared<const ConnectProxy>(ConnectProxy{.url = "http://company:3128"})
                             : nullptr;
  });
  const Way wlan = catalogue.way("wlan0", kOrigin);
  EXPECT_EQ(wlan.device, "wlan0");
  ASSERT_TRUE(wlan.proxy);
  EXPECT_EQ(wlan.proxy->url, "http://company:3128");
  EXPECT_FALSE(catalogue.way("wlan0", "http://intranet").proxy);
  EXPECT_EQ(catalogue.way("office", kOrigin).proxy->url, "http://proxy:3128");
}

TEST(LinkCatalogue, NamesAreOfOneLinkOnly) {
  LinkCatalogue catalogue;
  catalogue.add("office", proxy_at(kHere));
  EXPECT_THROW(catalogue.add("office", proxy_at(kHere)), std::invalid_argument);
  EXPECT_THROW(catalogue.add("lo", proxy_at(kHere)), std::invalid_argument);
}

TEST(LinkCatalogue, AProxyElsewhereDoesNotSeeThisMachine) {
  LinkCatalogue catalogue;
  catalogue.add("office", proxy_at(kElsewhere));
  const auto links = catalogue.watch(kHere);
  EXPECT_EQ(usable(*links), (std::vector<std::string>{"lo"}));
  const auto obstructed = links->obstructed();
  const auto office = std::ranges::find(obstructed, "office", [](const auto& notice) { return notice.link.name; });
  ASSERT_NE(office, obstructed.end());
  EXPECT_EQ(office->why, "the origin is on this machine");
}

}  // namespace
}  // namespace tributary
