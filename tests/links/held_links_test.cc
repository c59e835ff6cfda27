#include "links/held_links.hh"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace tributary {
namespace {

/// Tells what it was given.
class ToldLinks : public LinkMonitor {
 public:
  int file_descriptor() const override { return -1; }
  std::vector<LinkChangeNotice> poll() override { return std::exchange(notices, {}); }
  std::vector<LinkChangeNotice> notices;
};

LinkChangeNotice notice(const std::string& name, bool usable) {
  LinkChangeNotice notice;
  notice.link.name = name;
  notice.usable = usable;
  return notice;
}

struct HeldLinksTest : ::testing::Test {
  std::string told() {
    std::string text;
    for (const LinkChangeNotice& notice : links.poll()) text += (notice.usable ? "+" : "-") + notice.link.name + " ";
    return text;
  }

  ToldLinks monitor;
  std::set<std::string> held{"wifi"};
  HeldLinks links{monitor, [&](const std::string& link) { return held.contains(link); }};
};

TEST_F(HeldLinksTest, AHeldLinkIsNotTold) {
  monitor.notices = {notice("wifi", true), notice("lte", true)};
  EXPECT_EQ(told(), "+lte ");
  EXPECT_EQ(told(), "");
}

TEST_F(HeldLinksTest, WhenItIsLetGoAllThatHappenedIsToldInItsOrder) {
  monitor.notices = {notice("wifi", true), notice("lte", true)};
  told();
  monitor.notices = {notice("wifi", false)};
  told();
  held.clear();
  monitor.notices = {notice("wifi", true)};
  EXPECT_EQ(told(), "+wifi -wifi +wifi ");
}

}  // namespace
}  // namespace tributary
