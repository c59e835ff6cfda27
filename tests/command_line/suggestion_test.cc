#include "command_line/suggestion.hh"

#include <gtest/gtest.h>

#include <vector>

namespace tributary {
namespace {

const std::vector<std::string> kOptions{"--mode", "--buffer", "--startup", "--start"};

TEST(Suggestion, IsTheWordWithTheFewestChanges) {
  EXPECT_EQ(meant_by("--moed", kOptions), "--mode") << "two letters are swapped";
  EXPECT_EQ(meant_by("--bufer", kOptions), "--buffer");
  EXPECT_EQ(meant_by("--startt", kOptions), "--start");
  EXPECT_EQ(meant_by("--startip", kOptions), "--startup");
}

TEST(Suggestion, IsNothingForAWordOfItsOwn) {
  EXPECT_EQ(meant_by("--quality", kOptions), std::nullopt);
  EXPECT_EQ(meant_by("", kOptions), std::nullopt);
  EXPECT_EQ(meant_by("x", {}), std::nullopt);
  EXPECT_EQ(suggestion("--quality", kOptions), "");
}

TEST(Suggestion, IsAQuestion) { EXPECT_EQ(suggestion("--mod", kOptions), "; did you mean --mode?"); }

}  // namespace
}  // namespace tributary
