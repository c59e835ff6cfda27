#include "links/known_links.hh"

#include <gtest/gtest.h>

#include <utility>

namespace tributary {
namespace {

struct ScriptedMonitor : LinkMonitor {
  std::vector<LinkChangeNotice> notices;
  int file_descriptor() const override { return 42; }
  std::vector<LinkChangeNotice> poll() override { return std::exchange(notices, {}); }
  std::vector<LinkChangeNotice> obstructed() const override {
    return {{{.name = "lte", .kind = "cellular"}, false, "no carrier"}};
  }
};

TEST(KnownLinks, RemembersTheLatestOfEachLink) {
  ScriptedMonitor monitor;
  KnownLinks known{monitor};
  EXPECT_EQ(known.find("wifi"), nullptr);
  monitor.notices = {{{.name = "wifi", .kind = "wifi"}, true, "address added"}};
  EXPECT_EQ(known.poll().size(), 1U);
  monitor.notices = {{{.name = "wifi", .kind = "wifi"}, false, "no carrier"}};
  known.poll();
  EXPECT_TRUE(known.poll().empty());
  ASSERT_NE(known.find("wifi"), nullptr);
  EXPECT_EQ(known.find("wifi")->why, "no carrier");
}

TEST(KnownLinks, IsOtherwiseTheMonitor) {
  ScriptedMonitor monitor;
  const KnownLinks known{monitor};
  EXPECT_EQ(known.file_descriptor(), 42);
  EXPECT_EQ(known.obstructed().at(0).link.name, "lte");
}

}  // namespace
}  // namespace tributary
