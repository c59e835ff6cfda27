#include "lending/borrowing/lender_addresses.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::lending {
namespace {

using ::testing::ElementsAre;

TEST(LenderAddresses, WhereItAnsweredLastStaysFirstWhateverSomebodySays) {
  LenderAddresses addresses{"192.0.2.1:7118"};
  EXPECT_TRUE(addresses.found({"192.0.2.66:1", "192.0.2.66:2"}));
  EXPECT_THAT(addresses.all(), ElementsAre("192.0.2.1:7118", "192.0.2.66:1", "192.0.2.66:2"));
  EXPECT_TRUE(addresses.found({"192.0.2.1:7118", "192.0.2.66:1", "192.0.2.2:7118"}));
  EXPECT_THAT(addresses.all(), ElementsAre("192.0.2.1:7118", "192.0.2.2:7118", "192.0.2.66:1", "192.0.2.66:2"));
  EXPECT_FALSE(addresses.found({"192.0.2.2:7118"}));
  EXPECT_FALSE(addresses.found({}));
}

TEST(LenderAddresses, WhereItAnswersIsTriedFirst) {
  LenderAddresses addresses{"192.0.2.1:7118"};
  addresses.found({"192.0.2.66:1", "192.0.2.2:7118"});
  addresses.answered_at("192.0.2.2:7118");
  EXPECT_THAT(addresses.all(), ElementsAre("192.0.2.2:7118", "192.0.2.1:7118", "192.0.2.66:1"));
}

TEST(LenderAddresses, ManyThatAreSaidPutOutTheOldOnesButNotWhereItAnswered) {
  LenderAddresses addresses{"192.0.2.1:7118"};
  for (int i = 0; i < 30; ++i) {
    addresses.found({fmt::format("192.0.2.66:{}", i), fmt::format("192.0.2.67:{}", i)});
    EXPECT_EQ(addresses.all().at(0), "192.0.2.1:7118");
    EXPECT_EQ(addresses.all().at(1), fmt::format("192.0.2.66:{}", i));
    EXPECT_LE(addresses.all().size(), LenderAddresses::kMost);
  }
}

}  // namespace
}  // namespace tributary::lending
