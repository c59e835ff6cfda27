#include "worlds/discovery/link_turns.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

constexpr TimePoint kNow{10s};
const std::vector<std::string> kBoth{"wifi", "lte"};

TEST(LinkTurns, TheLinkThatWorkedIsAskedAgain) {
  LinkTurns turns;
  EXPECT_EQ(turns.choose(kBoth), "wifi");
  turns.failed(kNow);
  EXPECT_EQ(turns.choose(kBoth), "lte");
  turns.worked();
  EXPECT_EQ(turns.choose(kBoth), "lte");
  turns.failed(kNow);
  EXPECT_EQ(turns.choose(kBoth), "wifi") << "after the last one, the first one again";
  EXPECT_EQ(turns.failures(), 1u);
  EXPECT_EQ(turns.failures_ever(), 2u);
}

TEST(LinkTurns, AfterTheFirstFailureThereIsNoPause) {
  LinkTurns turns;
  turns.failed(kNow);
  EXPECT_EQ(turns.not_before(), kNow);
  for (const Duration pause : {500ms, 1000ms, 2000ms, 2000ms}) {
    turns.failed(kNow);
    EXPECT_EQ(turns.not_before(), kNow + pause);
  }
}

TEST(LinkTurns, ALinkIsLeftAloneForAsLongAsTheOriginWants) {
  LinkTurns turns;
  turns.leave_alone("wifi", kNow + 5s);
  EXPECT_THAT(turns.free(kBoth, kNow), ElementsAre("lte"));
  EXPECT_LE(turns.first_free(), kNow);
  turns.leave_alone("lte", kNow + 3s);
  EXPECT_THAT(turns.free(kBoth, kNow), ElementsAre());
  EXPECT_EQ(turns.first_free(), kNow + 3s);
  EXPECT_THAT(turns.free(kBoth, kNow + 5s), ElementsAre("wifi", "lte"));
}

}  // namespace
}  // namespace tributary
