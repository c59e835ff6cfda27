#include "proxy/players/next_guess.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

/// Asks for a segment of a rendition: "high", 3. All but the sound are in one ladder.
NextGuess::Guess answer(NextGuess& guess, const std::string& rendition, unsigned number) {
  const auto segment = [&](unsigned of) {
    return MediaFile{.url = rendition + std::to_string(of), .rendition = rendition, .grid = {.number = of}};
  };
  return guess.asked(rendition == "sound" ? "sound" : "picture", segment(number), segment(number + 1));
}

bool asks(NextGuess& guess, const std::string& rendition, unsigned number) {
  return answer(guess, rendition, number).fetch_ahead;
}

std::string not_wanted(const NextGuess::Guess& guess) { return guess.not_wanted ? guess.not_wanted->url : ""; }

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
  for (unsigned number = 1; number < 5; ++number) asks(guess, "high", number);
  EXPECT_FALSE(asks(guess, "high", 50));
  EXPECT_FALSE(asks(guess, "high", 51));
  EXPECT_TRUE(asks(guess, "high", 52));
}

TEST(NextGuess, WhoChangesTheQualityWantsTheOldOneNoMore) {
  NextGuess guess;
  for (unsigned number = 1; number < 4; ++number) {
    asks(guess, "high", number);
    asks(guess, "sound", number);
  }
  const NextGuess::Guess changed = answer(guess, "low", 4);
  EXPECT_TRUE(changed.fetch_ahead) << "it goes on in order";
  EXPECT_EQ(not_wanted(changed), "high4");
  EXPECT_EQ(not_wanted(answer(guess, "sound", 4)), "");
  EXPECT_EQ(not_wanted(answer(guess, "low", 5)), "");
  const NextGuess::Guess again = answer(guess, "high", 2);  // in place of what it has
  EXPECT_FALSE(again.fetch_ahead);
  EXPECT_EQ(not_wanted(again), "low6");
}

}  // namespace
}  // namespace tributary::proxy
