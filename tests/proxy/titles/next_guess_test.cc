#include "proxy/titles/next_guess.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

/// Asks for a segment of a rendition: "high", 3.
bool asks(NextGuess& guess, const std::string& rendition, int number) {
  const auto segment = [&](int of) { return MediaFile{.url = rendition + std::to_string(of), .rendition = rendition}; };
  return guess.asked(segment(number), segment(number + 1));
}

TEST(NextGuess, APlayerThatAsksInOrderGetsTheNextSegmentAhead) {
  NextGuess guess;
  EXPECT_FALSE(asks(guess, "high", 1));
  EXPECT_FALSE(asks(guess, "high", 2));
  EXPECT_TRUE(asks(guess, "high", 3));
  EXPECT_TRUE(asks(guess, "high", 4));
}

TEST(NextGuess, PictureAndSoundAreInOrderTogether) {
  NextGuess guess;
  EXPECT_FALSE(asks(guess, "high", 1));
  EXPECT_FALSE(asks(guess, "sound", 1));
  EXPECT_FALSE(asks(guess, "high", 2));
  EXPECT_TRUE(asks(guess, "sound", 2));
}

TEST(NextGuess, WhoLooksAtAllRenditionsGetsNothingAhead) {
  NextGuess guess;
  for (const char* rendition : {"low", "medium", "high"}) {
    EXPECT_FALSE(asks(guess, rendition, 1));
    EXPECT_FALSE(asks(guess, rendition, 2));
  }
}

TEST(NextGuess, WhoSeeksBeginsAnew) {
  NextGuess guess;
  for (int number = 1; number < 5; ++number) asks(guess, "high", number);
  EXPECT_FALSE(asks(guess, "high", 50));
  EXPECT_FALSE(asks(guess, "high", 51));
  EXPECT_TRUE(asks(guess, "high", 52));
}

}  // namespace
}  // namespace tributary::proxy
