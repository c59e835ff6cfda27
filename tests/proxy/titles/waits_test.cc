#include "proxy/titles/waits.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using Cause = StallReason::Cause;

TEST(Waits, FilesThatAreLateAtTheSameTimeAreOneWait) {
  Waits waits;
  waits.is_late(1, 300ms, {.cause = Cause::kLinksTooSlow});
  waits.is_late(2, 250ms, {.cause = Cause::kLinkSilent, .link = "lte"});
  waits.is_late(1, 900ms, {.cause = Cause::kLinksTooSlow});
  waits.ended(1);
  waits.is_late(2, 1200ms, {.cause = Cause::kLinksTooSlow});
  const auto all = waits.all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().length, 1200ms);
  EXPECT_EQ(sentence(all.front().reason), "lte owed a part, and brought nothing.");
}

TEST(Waits, WhatIsThereAgainEndsAWait) {
  Waits waits;
  waits.is_late(1, 300ms, {.cause = Cause::kNoLink});
  waits.ended(1);
  waits.ended(7);
  waits.is_late(2, 300ms, {.cause = Cause::kLinksTooSlow, .rate = 2500_kbps});
  const auto all = waits.all();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(sentence(all.front().reason), "No link could be used.");
  EXPECT_THAT(sentence(all.back().reason), ::testing::HasSubstr("2.5 Mbit/s"));
}

TEST(Waits, OnlyTheLastAreKept) {
  Waits waits;
  for (std::uint64_t file = 0; file < 1000; ++file) {
    waits.is_late(file, 1ms * file, {});
    waits.ended(file);
  }
  EXPECT_LT(waits.all().size(), 100U);
  EXPECT_EQ(waits.all().back().length, 999ms);
}

}  // namespace
}  // namespace tributary::proxy
