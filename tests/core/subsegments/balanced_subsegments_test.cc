#include "core/subsegments/balanced_subsegments.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/subsegments/byte_window.hh"
#include "support/link_ids.hh"

namespace tributary {
namespace {

using testing::kA;
using testing::kB;
using testing::kC;
using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;

double ends(const LinkEstimate& link, DataSize share) { return to_seconds(link.free_in + share / *link.throughput); }

TEST(BalancedShares, AllThatTakePartEndTogether) {
  const std::vector<LinkEstimate> links{{kA, 8_Mbps, 0s, 100ms}, {kB, 2_Mbps, 0s, 400ms}, {kC, 1_Mbps, 0s, 0s}};
  const BalancedShares plan = balanced_shares(1000_kB, links);
  for (std::size_t i = 0; i < links.size(); ++i)
    EXPECT_NEAR(ends(links[i], plan.shares[i]), to_seconds(plan.end), 1e-4);
  EXPECT_NEAR(static_cast<double>(std::accumulate(plan.shares.begin(), plan.shares.end(), DataSize{}).bytes()), 1e6, 3);
}

TEST(BalancedShares, ALinkThatIsFreeTooLateHasNone) {
  const std::vector<LinkEstimate> links{{kA, 8_Mbps, 0s, 0s}, {kB, 8_Mbps, 0s, 500ms}};
  EXPECT_THAT(balanced_shares(400_kB, links).shares, ElementsAre(400_kB, 0_kB));  // 0.4 s
  EXPECT_THAT(balanced_shares(600_kB, links).shares, ElementsAre(550_kB, 50_kB));
}

TEST(BalancedShares, AShareThatIsNotWorthARequestIsLeftToTheOthers) {
  const std::vector<LinkEstimate> links{{kA, 8_Mbps, 0s, 0s}, {kB, 100_kbps, 0s, 0s}};
  EXPECT_THAT(balanced_shares(100_kB, links).shares, ElementsAre(100_kB, 0_kB));
  EXPECT_GT(balanced_shares(1000_kB, links).shares[1], 10_kB);
}

TEST(BalancedShares, OneLinkHasAllHoweverLateItIs) {
  EXPECT_THAT(balanced_shares(1_kB, std::vector<LinkEstimate>{{kA, 8_kbps, 0s, 30s}}).shares, ElementsAre(1_kB));
}

TEST(BalancedShares, WhoWasNotMeasuredCountsAsAnAverageOne) {
  EXPECT_THAT(balanced_shares(300_kB, std::vector<LinkEstimate>{{kA, {}}, {kB, {}}}).shares,
              ElementsAre(150_kB, 150_kB));
  EXPECT_THAT(balanced_shares(600_kB, std::vector<LinkEstimate>{{kA, 3_Mbps}, {kB, 1_Mbps}, {kC, {}}}).shares,
              ElementsAre(300_kB, 100_kB, 200_kB));
}

TEST(BalancedSubsegments, ARequestIsNoMoreThanIsCarriedInARoundTripUnlessThatIsLittle) {
  BalancedSubsegments planner{50_kB};
  const std::vector<LinkEstimate> links{{kA, 80_Mbps, 100ms, 100ms}, {kB, 8_Mbps, 10ms, 10ms}};
  EXPECT_EQ(planner.next_size(20'000_kB, kA, links), 1000_kB);
  EXPECT_EQ(planner.next_size(20'000_kB, kB, links), 50_kB);
}

TEST(BalancedSubsegments, NoFewBytesAreLeftBehind) {
  BalancedSubsegments planner{50_kB};
  const std::vector<LinkEstimate> links{{kA, 8_Mbps}};
  EXPECT_EQ(planner.next_size(53_kB, kA, links), 53_kB);
  EXPECT_EQ(planner.next_size(60_kB, kA, links), 50_kB);
}

TEST(BalancedSubsegments, ALinkThatWouldOnlyDelayASegmentIsFreeForTheNext) {
  BalancedSubsegments planner{50_kB};
  std::vector<LinkEstimate> links{{kA, 8_Mbps, 0s, 0s}, {kB, 800_kbps, 0s, 2s}};
  EXPECT_EQ(planner.next_size(1000_kB, kB, links), 0_kB);
  planner.left_to_others(1000_kB, links);
  EXPECT_EQ(links[0].free_in, 1s);
  EXPECT_EQ(links[1].free_in, 2s);
  planner.left_to_others(3000_kB, links);
  EXPECT_EQ(links[0].free_in, links[1].free_in);
}

class Window : public ::testing::Test {
 protected:
  void send(LinkId link, DataSize size) {
    OutstandingRequest request;
    request.id = next_;
    request.link = link;
    request.range = {0_B, size};
    outstanding.add(request);
    next_ = next(next_);
  }
  OutstandingRequests outstanding;

 private:
  RequestId next_{1};
};

TEST_F(Window, ALinkOwesTwiceWhatIsUnderWayAndHalfARequest) {
  const ByteWindow window{50_kB};
  const LinkEstimates links{{kA, 8_Mbps, 100ms, 0s}};  // 100 kB under way
  send(kA, 224_kB);
  EXPECT_EQ(window.links_to_ask(links, outstanding), LinkIds{kA});
  send(kA, 1_kB);
  EXPECT_TRUE(window.links_to_ask(links, outstanding).empty());
}

TEST_F(Window, WhoIsFreeFirstComesFirst) {
  const ByteWindow window{50_kB};
  EXPECT_EQ(window.links_to_ask({{kA, 8_Mbps, 0s, 300ms}, {kB, 8_Mbps, 0s, 200ms}, {kC, {}, 0s, 200ms}}, outstanding),
            (LinkIds{kB, kC, kA}));
}

TEST_F(Window, NoServerIsAskedForAnyNumber) {
  const ByteWindow window{50_kB};
  for (int i = 0; i < 16; ++i) send(kA, 1_B);
  EXPECT_TRUE(window.links_to_ask({{kA, 8_Mbps, 100ms, 0s}}, outstanding).empty());
}

}  // namespace
}  // namespace tributary
