#include "proxy/pacing/player_line.hh"

#include <gtest/gtest.h>

#include <chrono>

namespace tributary::proxy {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kAsked{5s};

TEST(PlayerLine, ALargeAnswerWaitsForASmallerOneAskedForAtTheSameTime) {
  PlayerLine line;
  const auto picture = line.asked(60_kB, 600ms, kAsked);
  const auto sound = line.asked(30_kB, 300ms, kAsked + 1ms);
  EXPECT_EQ(line.free_at(picture, 60_kB, kAsked), kAsked + 301ms);
  EXPECT_LT(line.free_at(sound, 30_kB, kAsked + 1ms), kAsked + 50ms);
}

TEST(PlayerLine, WhatIsAskedForLaterOrAloneMakesNoDifference) {
  PlayerLine line;
  const auto picture = line.asked(60_kB, 600ms, kAsked);
  EXPECT_LT(line.free_at(picture, 60_kB, kAsked), kAsked + 50ms);
  line.asked(30_kB, 300ms, kAsked + 100ms);
  EXPECT_LT(line.free_at(picture, 60_kB, kAsked), kAsked + 50ms);
}

TEST(PlayerLine, AnAnswerNeverWaitsForItself) {
  PlayerLine line;
  const auto picture = line.asked(40_kB, 400ms, kAsked);  // it is larger than was thought
  EXPECT_LT(line.free_at(picture, 60_kB, kAsked), kAsked + 50ms);
}

TEST(PlayerLine, AnAnswerThatCouldHaveEndedHoldsNobody) {
  PlayerLine line;
  line.asked(30_kB, 300ms, kAsked);
  const auto picture = line.asked(60_kB, 600ms, kAsked + 400ms);
  EXPECT_LT(line.free_at(picture, 60_kB, kAsked + 400ms), kAsked + 450ms);
}

}  // namespace
}  // namespace tributary::proxy
