#include "core/links/link_need.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

LinkNeed::Situation situation(Duration buffered, std::optional<DataRate> rate) {
  return {.others = true, .wanted = true, .buffered = buffered, .buffer = 12s, .rate = rate, .lowest = 1_Mbps};
}

TEST(LinkNeed, IsThereWithoutAnotherLink) {
  LinkNeed::Situation alone = situation(12s, std::nullopt);
  alone.others = false;
  EXPECT_TRUE(LinkNeed{}.decide(alone).needed);
}

TEST(LinkNeed, TakesALowBufferAndSlowLinks) {
  EXPECT_FALSE(LinkNeed{}.decide(situation(7s, 100_kbps)).needed);
  EXPECT_FALSE(LinkNeed{}.decide(situation(1s, 2_Mbps)).needed);
  EXPECT_FALSE(LinkNeed{}.decide(situation(1s, std::nullopt)).needed);
  const auto needed = LinkNeed{}.decide(situation(5s, 100_kbps));
  EXPECT_TRUE(needed.needed);
  EXPECT_EQ(
      needed.why,
      "5.0 of 12.0 s are buffered, and the other links bring 100 kbit/s of the 1000 kbit/s that the lowest quality takes");
}

TEST(LinkNeed, LastsUntilTheBufferIsFull) {
  LinkNeed need;
  EXPECT_TRUE(need.decide(situation(5s, 100_kbps)).needed);
  EXPECT_TRUE(need.decide(situation(11s, 5_Mbps)).needed);
  EXPECT_FALSE(need.decide(situation(12s, 100_kbps)).needed);
  EXPECT_FALSE(need.decide(situation(11s, 100_kbps)).needed);
}

TEST(LinkNeed, EndsWhenNothingIsLeftToBeAskedFor) {
  LinkNeed need;
  EXPECT_TRUE(need.decide(situation(5s, 100_kbps)).needed);
  LinkNeed::Situation over = situation(5s, 100_kbps);
  over.wanted = false;
  EXPECT_FALSE(need.decide(over).needed);
}

}  // namespace
}  // namespace tributary
