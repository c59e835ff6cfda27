#include "proxy/players/player_needs.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;

MediaFile segment(unsigned number) {
  return {.url = std::to_string(number), .duration = 4s, .rendition = "high", .grid = {.number = number}};
}

constexpr TimePoint kStart{};

/// What a player says of itself.
Cmcd said(std::optional<Duration> buffered, std::optional<Duration> deadline = std::nullopt) {
  Cmcd cmcd;
  cmcd.buffered = buffered;
  cmcd.deadline = deadline;
  return cmcd;
}

TEST(PlayerNeeds, APlayerThatSaysNothingIsKnownByItsRequests) {
  PlayerNeeds needs;
  const auto first = needs.of_segment(segment(1), {}, false, kStart);
  EXPECT_EQ(first.due_in, 4s);  // it begins
  EXPECT_EQ(first.lasts, std::nullopt);
  for (unsigned number = 2; number <= 6; ++number) needs.of_segment(segment(number), {}, false, kStart);
  const auto later = needs.of_segment(segment(7), {}, false, kStart + 2s);
  EXPECT_EQ(later.due_in, 11s);  // half of what is left of 24 s
  EXPECT_EQ(later.lasts, 26s);   // with the segment itself
}

TEST(PlayerNeeds, WhatAPlayerSaysCountsMore) {
  PlayerNeeds needs;
  needs.of_segment(segment(1), {}, false, kStart);
  const auto deadline = needs.of_segment(segment(2), said(9s, 7s), false, kStart);
  EXPECT_EQ(deadline.due_in, 7s);
  EXPECT_EQ(deadline.lasts, 7s);
  const auto buffered = needs.of_segment(segment(3), said(9s), false, kStart);
  EXPECT_EQ(buffered.due_in, 9s);
  EXPECT_EQ(buffered.lasts, 9s);
}

TEST(PlayerNeeds, APlayerThatStartsNeedsItsSegmentAtOnce) {
  PlayerNeeds needs;
  Cmcd starts = said(9s);
  starts.startup = true;
  const auto need = needs.of_segment(segment(1), starts, true, kStart);
  EXPECT_EQ(need.due_in, 0s);
  EXPECT_EQ(need.in_hand, 0s);
  EXPECT_EQ(need.lasts, std::nullopt);
}

TEST(PlayerNeeds, OfALedPlayerItIsKnownWhatItHasInHand) {
  PlayerNeeds needs;
  EXPECT_EQ(needs.of_segment(segment(1), {}, true, kStart).in_hand, 0s);
  EXPECT_EQ(needs.of_segment(segment(2), {}, true, kStart + 1s).in_hand, 3s);
  EXPECT_EQ(needs.of_segment(segment(9), said(5s), true, kStart + 1s).in_hand, 5s);
}

TEST(PlayerNeeds, PartsCountLikeSegments) {
  PlayerNeeds needs;
  EXPECT_EQ(needs.of_part("film", 10s, {}, kStart), 10s);
  EXPECT_EQ(needs.of_part("film", 1s, {}, kStart + 2s), 4s);
  EXPECT_EQ(needs.of_part("film", 10s, said(std::nullopt, 1s), kStart + 2s), 1s);
}

}  // namespace
}  // namespace tributary::proxy
