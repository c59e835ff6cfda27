#include "accounts/link_account.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// A cap of so many bytes.
struct Cap {
  DataSize left, not_requested;
};

class LeaseOfCap : public LinkLease {
 public:
  explicit LeaseOfCap(Cap& cap) : cap_{cap} {}
  Grant take(DataSize wanted) override {
    const DataSize size = std::min(wanted, cap_.left);
    cap_.left -= size;
    return {.size = size, .why_not_more = size < wanted ? "used up" : ""};
  }
  void not_requested(DataSize size) override { cap_.not_requested = size; }
  void give_back(DataSize unused) override { cap_.left += unused; }

 private:
  Cap& cap_;
};

/// Looks whether more may be had first.
bool allows(LinkAccount& account, Duration at = {}) {
  account.look(TimePoint{at});
  return account.allows_more();
}

TEST(LinkAccount, AllowsBytesUpToTheCapAndGivesBackTheRest) {
  Cap cap{.left = DataSize{3'000'000}, .not_requested = {}};
  {
    LinkAccount account{std::make_unique<LeaseOfCap>(cap)};
    EXPECT_TRUE(allows(account));
    EXPECT_EQ(cap.left, DataSize{1'000'000});
    account.carried(DataSize{1'500'000});
    EXPECT_EQ(cap.not_requested, DataSize{500'000});  // a killed program gives back this much
    EXPECT_TRUE(allows(account));
    EXPECT_EQ(cap.left, DataSize{});
    EXPECT_EQ(account.why_not_more(), "used up");
    account.carried(DataSize{1'400'000});
    EXPECT_TRUE(allows(account));
  }
  EXPECT_EQ(cap.left, DataSize{100'000});
}

TEST(LinkAccount, AUsedUpCapIsAskedAgainAfterAMinute) {
  Cap cap{.left = DataSize{1'000}, .not_requested = {}};
  LinkAccount account{std::make_unique<LeaseOfCap>(cap)};
  EXPECT_TRUE(allows(account));
  account.carried(DataSize{1'200});
  cap.left = DataSize{5'000'000};  // a new month
  EXPECT_FALSE(allows(account, 59s));
  EXPECT_TRUE(allows(account, 60s));
}

TEST(LinkAccount, RequestsCountAtOnceAndWhatDidNotComeIsGivenBack) {
  Cap cap{.left = DataSize{10'000'000}, .not_requested = {}};
  {
    LinkAccount account{std::make_unique<LeaseOfCap>(cap)};
    account.look(TimePoint{});
    account.requested(DataSize{900'000});
    EXPECT_EQ(cap.not_requested, DataSize{1'100'000});
    account.look(TimePoint{});
    EXPECT_EQ(account.taken(), DataSize{2'000'000}) << "half of it is left";
    account.received(DataSize{400'000});
    account.failed(DataSize{500'000});
    EXPECT_EQ(cap.not_requested, DataSize{1'600'000});
    account.requested(DataSize{1'500'000});
    account.look(TimePoint{});
    EXPECT_EQ(account.taken(), DataSize{3'900'000}) << "two megabytes ahead again";
  }
  EXPECT_EQ(cap.left, DataSize{9'600'000});
}

TEST(LinkAccount, PacketsAreCountedAheadOfTheirComing) {
  Cap cap{.left = DataSize{10'000'000}, .not_requested = {}};
  LinkAccount account{std::make_unique<LeaseOfCap>(cap)};
  account.look(TimePoint{});
  account.carried(DataSize{1'000});
  EXPECT_EQ(cap.not_requested, DataSize{1'900'000});
  for (int i = 0; i < 99; ++i) account.carried(DataSize{1'000});
  EXPECT_EQ(cap.not_requested, DataSize{1'900'000});
  account.carried(DataSize{1});
  EXPECT_EQ(cap.not_requested, DataSize{1'800'000});
}

}  // namespace
}  // namespace tributary
