#include "core/links/answer_delay.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

void answer(AnswerDelay& delay, std::initializer_list<Duration> silences) {
  for (const Duration silence : silences) delay.waited(silence);
  delay.answer_ended();
}

TEST(AnswerDelay, IsWhatTwoAnswersInARowHaveStoodStill) {
  AnswerDelay delay;
  answer(delay, {3s, 10ms});
  EXPECT_EQ(delay.value(), 0s);  // the link may have been away
  answer(delay, {10ms, 5s});
  EXPECT_EQ(delay.value(), 3s);
  answer(delay, {10ms});
  EXPECT_EQ(delay.value(), 0s);
}

TEST(AnswerDelay, RoundTripsAndLostPacketsAreNone) {
  AnswerDelay delay;
  for (int i = 0; i < 3; ++i) answer(delay, {600ms});
  EXPECT_EQ(delay.value(), 0s);
}

}  // namespace
}  // namespace tributary
