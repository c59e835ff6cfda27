#include "tunnel/standby_links.hh"

#include <gtest/gtest.h>

#include <vector>

namespace tributary {
namespace {

using namespace std::chrono_literals;
using Names = std::set<std::string>;

StandbyLinks::Link link(const std::string& name, const std::string& terms, bool answers) {
  return {.name = name, .terms = parse_terms(terms), .usable = true, .answers = answers};
}

class StandbyLinksTest : public ::testing::Test {
 protected:
  Names at(Duration time) { return rule.choose(links, TimePoint{1h + time}); }

  StandbyLinks rule;
  std::vector<StandbyLinks::Link> links{link("dsl", "free", true), link("wwan", "paid:0.01/MB", false),
                                        link("phone", "metered:1GB", false)};
};

TEST_F(StandbyLinksTest, FreeLinksAreUsedAndOthersAreNot) {
  links.push_back(link("wifi", "free", false));
  EXPECT_EQ(at(0s), (Names{"dsl", "wifi"}));
  EXPECT_EQ(at(1h), (Names{"dsl", "wifi"}));
  EXPECT_FALSE(rule.next_deadline());
}

TEST_F(StandbyLinksTest, OneThatCostsHelpsASecondAfterTheLastFreeOneFellSilent) {
  at(0s);
  links[0].answers = false;
  EXPECT_EQ(at(10s), Names{"dsl"});
  EXPECT_EQ(rule.next_deadline(), TimePoint{1h + 11s});
  EXPECT_EQ(at(11s), (Names{"dsl", "phone"}));  // a cap before money
  links[2].answers = true;
  EXPECT_EQ(at(1min), (Names{"dsl", "phone"}));
}

TEST_F(StandbyLinksTest, TheNextOneIsTriedIfTheFirstDoesNotAnswer) {
  links[0].answers = false;
  at(0s);
  EXPECT_EQ(at(1s), (Names{"dsl", "phone"}));
  EXPECT_EQ(rule.next_deadline(), TimePoint{1h + 4s});
  EXPECT_EQ(at(4s), (Names{"dsl", "phone", "wwan"}));
  links[2].answers = true;
  EXPECT_EQ(at(5s), (Names{"dsl", "phone"}));
}

TEST_F(StandbyLinksTest, AFreeLinkThatIsBackMustAnswerForTenSeconds) {
  links[0].answers = false;
  at(0s);
  at(1s);
  links[2].answers = true;
  links[0].answers = true;
  EXPECT_EQ(at(2s), (Names{"dsl", "phone"}));
  EXPECT_EQ(rule.next_deadline(), TimePoint{1h + 12s});
  links[0].answers = false;
  EXPECT_EQ(at(8s), (Names{"dsl", "phone"}));
  links[0].answers = true;
  EXPECT_EQ(at(9s), (Names{"dsl", "phone"}));
  EXPECT_EQ(at(18s), (Names{"dsl", "phone"}));
  EXPECT_EQ(at(19s), Names{"dsl"});
}

TEST_F(StandbyLinksTest, WithoutAFreeLinkNothingIsWaitedFor) {
  links[0].usable = false;
  EXPECT_EQ(at(0s), Names{"phone"});
}

TEST_F(StandbyLinksTest, AUsedUpCapIsPassedOver) {
  links[0].usable = false;
  at(0s);
  links[2].allowed = false;
  EXPECT_EQ(at(1s), Names{"wwan"});
  links[1].allowed = false;
  EXPECT_EQ(at(2s), Names{});
}

}  // namespace
}  // namespace tributary
