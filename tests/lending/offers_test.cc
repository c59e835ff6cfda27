// Who lends more gets more while uplinks are short: the division alone, and communities of 2 to 64 members in virtual time,
// with members that are away, that lend nothing, and that bring less than they say.
#include "lending/offers.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace tributary::lending {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

std::vector<double> divided(double rate, const std::vector<std::pair<double, double>>& lent_and_wanted) {
  std::vector<Borrower> borrowers;
  for (const auto& [lent, wanted] : lent_and_wanted) borrowers.push_back({lent, DataRate::bits_per_second(wanted)});
  std::vector<double> result;
  for (const DataRate share : divide(DataRate::bits_per_second(rate), borrowers))
    result.push_back(share.bits_per_second());
  return result;
}

TEST(Divide, InProportionToWhatEachHasLent) { EXPECT_THAT(divided(9, {{2, 99}, {1, 99}}), ElementsAre(6, 3)); }

TEST(Divide, WhatOneDoesNotWantIsForTheOthers) {
  EXPECT_THAT(divided(9, {{2, 1}, {1, 99}, {1, 99}}), ElementsAre(1, 4, 4));
  EXPECT_THAT(divided(9, {{2, 1}, {1, 2}}), ElementsAre(1, 2));
}

TEST(Divide, WhoHasLentNothingGetsWhatIsLeft) {
  EXPECT_THAT(divided(9, {{1, 5}, {0, 99}, {0, 99}}), ElementsAre(5, 2, 2));
  EXPECT_THAT(divided(9, {{1, 99}, {0, 99}}), ElementsAre(9, 0));
}

TEST(Divide, WhileNobodyHasLentAnythingAllAreEqual) {
  EXPECT_THAT(divided(9, {{0, 99}, {0, 99}, {0, 99}}), ElementsAre(3, 3, 3));
  EXPECT_TRUE(divided(9, {}).empty());
}

TEST(LentBytes, HalfOfThemCountAfterHalfAnHour) {
  using namespace std::chrono_literals;
  LentBytes bytes;
  bytes.came(1000, TimePoint{} + 1h);
  EXPECT_THAT(bytes.at(TimePoint{} + 90min), DoubleNear(500, 1e-6));
  bytes.came(500, TimePoint{} + 90min);
  EXPECT_THAT(bytes.at(TimePoint{} + 2h), DoubleNear(500, 1e-6));
}

constexpr int kSeconds = 400;

struct Member {
  double lends = 1;        // part of its uplink that it offers while it does not need it
  double brings = 1;       // part of what it grants that really comes
  double wants_often = 1;  // part of the time in which it wants all it can get
};

/// Members with uplinks of 1 Mbit/s each, in steps of a second. A member that wants something uses its own uplink itself, and
/// borrows from all others. Returns what each got from others per second in which it wanted something, in Mbit/s.
class Community {
 public:
  explicit Community(std::vector<Member> members)
      : members_{std::move(members)},
        got_(members_.size()),
        wanting_(members_.size()),
        lent_(members_.size(), std::vector<LentBytes>(members_.size())) {}

  std::vector<double> incomes(int seconds) {
    for (int second = 0; second < seconds; ++second) step(TimePoint{} + std::chrono::seconds{second});
    std::vector<double> result;
    for (std::size_t i = 0; i < members_.size(); ++i) result.push_back(wanting_[i] > 0 ? got_[i] / wanting_[i] : 0);
    return result;
  }

 private:
  void step(TimePoint now) {
    std::vector<bool> wants;
    for (const Member& member : members_) wants.push_back(chance_(random_) < member.wants_often);
    for (std::size_t i = 0; i < members_.size(); ++i) wanting_[i] += wants[i] ? 1 : 0;
    std::vector<std::vector<double>> brought(members_.size(), std::vector<double>(members_.size()));
    for (std::size_t lender = 0; lender < members_.size(); ++lender) {
      std::vector<Borrower> borrowers;
      for (std::size_t i = 0; i < members_.size(); ++i) {
        const bool borrows = wants[i] && i != lender;
        borrowers.push_back({lent_[lender][i].at(now), DataRate::bits_per_second(borrows ? 1e6 : 0)});
      }
      const auto shares = divide(DataRate::bits_per_second(1e6 * members_[lender].lends), borrowers);
      for (std::size_t i = 0; i < members_.size(); ++i)
        brought[lender][i] = shares[i].bits_per_second() / 8 * members_[lender].brings;
    }
    for (std::size_t lender = 0; lender < members_.size(); ++lender) {
      for (std::size_t i = 0; i < members_.size(); ++i) {
        lent_[i][lender].came(brought[lender][i], now);
        got_[i] += brought[lender][i] * 8 / 1e6;
      }
    }
  }

  std::vector<Member> members_;
  std::vector<double> got_, wanting_;
  std::vector<std::vector<LentBytes>> lent_;  // [who got it][who brought it]
  std::mt19937 random_{20261129};
  std::uniform_real_distribution<double> chance_{0, 1};
};

TEST(Community, FullOffersAreAFixedPoint) {
  for (const std::size_t size : {2U, 4U, 16U, 64U}) {
    for (const double income : Community{std::vector<Member>(size)}.incomes(kSeconds))
      EXPECT_NEAR(income, 1, 1e-6) << size;
  }
}

TEST(Community, WhoLendsNothingGetsNothingWhileOthersNeedIt) {
  for (const std::size_t size : {3U, 4U, 16U, 64U}) {
    std::vector<Member> members(size);
    members.front().lends = 0;
    const auto incomes = Community{members}.incomes(kSeconds);
    EXPECT_LT(incomes.front(), 0.01) << size;  // in the first second all were equal
    EXPECT_GT(incomes.back(), 0.99) << size;
  }
}

TEST(Community, IncomeRisesWithWhatOneLends) {
  for (const double wants_often : {1.0, 0.4}) {
    for (const std::size_t size : {4U, 16U, 64U}) {
      double before = wants_often < 1 ? 0 : -1;  // what nobody else wants now is not refused
      for (const double lends : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        std::vector<Member> members(size, {.wants_often = wants_often});
        members.front().lends = lends;
        const double income = Community{members}.incomes(kSeconds).front();
        EXPECT_GT(income, before) << size << " " << lends << " " << wants_often;
        before = income;
      }
    }
  }
}

TEST(Community, WhoBringsLessThanItGrantsGetsAsMuchLess) {
  for (const std::size_t size : {4U, 16U, 64U}) {
    std::vector<Member> lying(size), honest(size);
    lying.front().brings = 0.25;
    honest.front().lends = 0.25;
    EXPECT_NEAR(Community{lying}.incomes(kSeconds).front(), Community{honest}.incomes(kSeconds).front(), 1e-6) << size;
  }
}

}  // namespace
}  // namespace tributary::lending
