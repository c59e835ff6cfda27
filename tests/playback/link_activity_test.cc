#include "playback/status/link_activity.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;

const TimePoint kLooked{std::chrono::seconds{100}};

LinkActivity activity(const Link& link, DataRate rate_now) {
  LinkStatus status;
  status.rate_now = rate_now;
  add_activity(status, link, {}, {}, kLooked);
  return status.activity;
}

TEST(LinkActivity, ALinkIsUsedAsLongAsARateIsShownBesideIt) {
  Link link;
  link.up = true;
  EXPECT_EQ(activity(link, 1900_kbps), LinkActivity::kUsed);
  EXPECT_EQ(activity(link, {}), LinkActivity::kIdle);
}

TEST(LinkActivity, WhyALinkIsLeftAloneComesBeforeWhatItJustBrought) {
  Link down;
  EXPECT_EQ(activity(down, 1900_kbps), LinkActivity::kDown);
  Link off;
  off.up = true;
  off.use = LinkUse::kDoNotUse;
  EXPECT_EQ(activity(off, 1900_kbps), LinkActivity::kOff);
  Link failed;
  failed.up = true;
  failed.avoided_until = kLooked + std::chrono::seconds{1};
  EXPECT_EQ(activity(failed, 1900_kbps), LinkActivity::kAvoided);
}

}  // namespace
}  // namespace tributary
