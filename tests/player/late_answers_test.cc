#include "player/glib/late_answers.hh"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

namespace tributary::play {
namespace {

TEST(LateAnswers, AreTakenAsLongAsTheirObjectIsThere) {
  std::string taken;
  std::optional<LateAnswers> late{std::in_place};
  const std::function<void(const std::string&)> answer = late->to([&](const std::string& text) { taken += text; });
  answer("in time");
  late.reset();
  answer("too late");
  EXPECT_EQ(taken, "in time");
}

}  // namespace
}  // namespace tributary::play
