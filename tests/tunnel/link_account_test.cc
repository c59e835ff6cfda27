#include "tunnel/link_account.hh"

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

TEST(LinkAccount, AllowsBytesUpToTheCapAndGivesBackTheRest) {
  Cap cap{.left = DataSize{3'000'000}, .not_requested = {}};
  {
    LinkAccount account{std::make_unique<LeaseOfCap>(cap)};
    EXPECT_TRUE(account.allows(TimePoint{}));
    EXPECT_EQ(cap.left, DataSize{1'000'000});
    account.used(DataSize{1'500'000});
    EXPECT_EQ(cap.not_requested, DataSize{500'000});  // a killed program gives back this much
    EXPECT_TRUE(account.allows(TimePoint{}));
    EXPECT_EQ(cap.left, DataSize{});
    EXPECT_EQ(account.why_not(), "used up");
    account.used(DataSize{1'400'000});
    EXPECT_TRUE(account.allows(TimePoint{}));
  }
  EXPECT_EQ(cap.left, DataSize{100'000});
}

TEST(LinkAccount, AUsedUpCapIsAskedAgainAfterAMinute) {
  Cap cap{.left = DataSize{1'000}, .not_requested = {}};
  LinkAccount account{std::make_unique<LeaseOfCap>(cap)};
  EXPECT_TRUE(account.allows(TimePoint{}));
  account.used(DataSize{1'200});
  cap.left = DataSize{5'000'000};  // a new month
  EXPECT_FALSE(account.allows(TimePoint{59s}));
  EXPECT_TRUE(account.allows(TimePoint{60s}));
}

}  // namespace
}  // namespace tributary
