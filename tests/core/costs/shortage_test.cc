#include "core/costs/shortage.hh"

#include <gtest/gtest.h>

#include <array>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kAt100{100s};

TEST(Shortage, IsWhatTheFreeLinksDoNotBringBeforeTheMargin) {
  const std::array claims{Claim{kAt100 + 3s, 1000_kB}};
  const std::array free{Carrier{2_Mbps, {}, {}}, Carrier{800_kbps, {}, {}}};
  EXPECT_EQ(shortages(claims, free, 1s, kAt100)[0], 300_kB);  // 700 kB in 2 s
  EXPECT_EQ(shortages(claims, free, 0s, kAt100)[0], DataSize{});
}

TEST(Shortage, WhatALinkOwesComesFirstAndOnlyThenItsRateCounts) {
  const Carrier link{8_Mbps, 500ms, 400_kB};
  EXPECT_EQ(link.brings_in(2s), 1900_kB);
  EXPECT_EQ(link.brings_in(500ms), 400_kB);
  EXPECT_EQ(link.brings_in(100ms), 0_kB);  // silent for as long as it owes nothing that could be here by then
  EXPECT_EQ((Carrier{std::nullopt, 500ms, 400_kB}.brings_in(2s)), DataSize{});
}

TEST(Shortage, OfOneClaimIsNotThatOfTheNextAgain) {
  const std::array claims{Claim{kAt100 + 2s, 500_kB}, Claim{kAt100 + 4s, 500_kB}, Claim{kAt100 + 6s, 500_kB}};
  const std::array free{Carrier{1_Mbps, {}, {}}};  // 250 kB in 2 s
  const auto sizes = shortages(claims, free, 0s, kAt100);
  for (const DataSize size : sizes) EXPECT_EQ(size, 250_kB);
}

TEST(Shortage, ALateSegmentTakesNothingFromWhatTheFreeLinksCatchUpWith) {
  const std::array claims{Claim{kAt100 + 1s, 1000_kB}, Claim{kAt100 + 20s, 500_kB}};
  const std::array free{Carrier{1_Mbps, {}, {}}};
  const auto sizes = shortages(claims, free, 0s, kAt100);
  EXPECT_EQ(sizes[0], 875_kB);
  EXPECT_EQ(sizes[1], DataSize{});
}

TEST(Shortage, NobodyWaitsForWhatHasNoDeadline) {
  const std::array claims{Claim{std::nullopt, 1000_kB}, Claim{kAt100 + 8s, 500_kB}};
  const std::array free{Carrier{1_Mbps, {}, {}}};
  const auto sizes = shortages(claims, free, 0s, kAt100);
  EXPECT_EQ(sizes[0], DataSize{});
  EXPECT_EQ(sizes[1], 500_kB);  // the free link is busy with the first for all these 8 s
}

TEST(Shortage, AFreeLinkIsTriedBeforeAnythingIsPaidFor) {
  const std::array claims{Claim{kAt100 + 1s, 1000_kB}};
  EXPECT_EQ(shortages(claims, std::array{Carrier{}}, 0s, kAt100)[0], DataSize{});
  EXPECT_EQ(shortages(claims, {}, 0s, kAt100)[0], 1000_kB);  // there is none
}

TEST(Pressing, LeavesTheTimeThatTheSparedLinkNeeds) {
  const std::array claims{Claim{kAt100 + 10s, 1000_kB}};
  const std::array sizes{1000_kB};
  const Carrier known{8_Mbps, 200ms, {}}, guessed{std::nullopt, 200ms, {}};
  EXPECT_EQ(pressing(claims, sizes, known, 1_Mbps, 500ms, kAt100 + 8299ms), 0U);
  EXPECT_EQ(pressing(claims, sizes, known, 1_Mbps, 500ms, kAt100 + 8300ms), 1U);
  EXPECT_EQ(pressing(claims, sizes, guessed, 1_Mbps, 500ms, kAt100 + 1299ms), 0U);
  EXPECT_EQ(pressing(claims, sizes, guessed, 1_Mbps, 500ms, kAt100 + 1300ms), 1U);
  EXPECT_EQ(pressing(claims, std::array{DataSize{}}, known, 1_Mbps, 500ms, kAt100 + 10s), 0U);
}

TEST(Pressing, ALargeClaimMakesThoseBeforeItPressToo) {
  const std::array claims{Claim{kAt100 + 10s, 1000_kB}, Claim{kAt100 + 11s, 4000_kB}};
  const std::array sizes{1000_kB, 4000_kB};
  EXPECT_EQ(pressing(claims, sizes, {8_Mbps, {}, {}}, 1_Mbps, 0s, kAt100 + 5999ms), 0U);
  EXPECT_EQ(pressing(claims, sizes, {8_Mbps, {}, {}}, 1_Mbps, 0s, kAt100 + 6s), 2U);  // 5 MB until 11 s
}

TEST(Pressing, WhatComesLaterCanWait) {
  const std::array claims{Claim{kAt100 + 1s, 500_kB}, Claim{kAt100 + 11s, 500_kB}};
  const std::array sizes{500_kB, 500_kB};
  EXPECT_EQ(pressing(claims, sizes, {8_Mbps, {}, {}}, 1_Mbps, 0s, kAt100 + 500ms), 1U);
}

}  // namespace
}  // namespace tributary
