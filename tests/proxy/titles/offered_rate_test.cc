#include "proxy/titles/offered_rate.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace literals;

LinkStatus link(CostKind cost, std::optional<DataRate> rate, LinkActivity activity = LinkActivity::kUsed) {
  LinkStatus link;
  link.cost.kind = cost;
  link.rate_when_busy = rate;
  link.activity = activity;
  return link;
}

std::optional<DataRate> offered(std::vector<LinkStatus> links, std::optional<DataRate> spent_for = std::nullopt) {
  StreamStatus status;
  status.links = std::move(links);
  return offered_rate(status, spent_for);
}

TEST(OfferedRate, IsWhatFreeLinksBring) {
  EXPECT_EQ(offered({link(CostKind::kFree, 3_Mbps), link(CostKind::kFree, 5_Mbps)}), 8_Mbps);
  EXPECT_EQ(offered({link(CostKind::kFree, 3_Mbps), link(CostKind::kPaid, 5_Mbps)}), 3_Mbps);
}

TEST(OfferedRate, IsWhatAllLinksBringWhereNoneIsFree) {
  EXPECT_EQ(offered({link(CostKind::kMetered, 3_Mbps), link(CostKind::kPaid, 5_Mbps)}), 8_Mbps);
}

TEST(OfferedRate, LinksThatBringNothingDoNotCount) {
  using enum LinkActivity;
  for (const LinkActivity activity : {kUsedUp, kOff, kDown, kAvoided})
    EXPECT_EQ(offered({link(CostKind::kFree, 3_Mbps), link(CostKind::kFree, 5_Mbps, activity)}), 3_Mbps);
  // One of these could not be paid for.
  EXPECT_EQ(offered({link(CostKind::kFree, 3_Mbps), link(CostKind::kPaid, 5_Mbps, kUsedUp)}, 8_Mbps), 3_Mbps);
}

TEST(OfferedRate, IsEnoughForTheQualityThatIsSpentFor) {
  const std::vector<LinkStatus> links{link(CostKind::kFree, 3_Mbps), link(CostKind::kPaid, std::nullopt)};
  EXPECT_EQ(offered(links, 8_Mbps), 10_Mbps);
  EXPECT_EQ(offered(links, 1_Mbps), 3_Mbps);
  EXPECT_EQ(offered({link(CostKind::kFree, 3_Mbps)}, 8_Mbps), 3_Mbps);  // there is nothing to spend on
}

TEST(OfferedRate, IsTheThroughputWhereNoLinkWasMeasured) {
  StreamStatus status;
  EXPECT_EQ(offered_rate(status, std::nullopt), std::nullopt);
  status.links = {link(CostKind::kFree, std::nullopt)};
  status.throughput = 2_Mbps;
  EXPECT_EQ(offered_rate(status, std::nullopt), 2_Mbps);
}

}  // namespace
}  // namespace tributary::proxy
