#include "worlds/front_frames.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "support/session_driver.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::segment;

TEST(FrontFrames, KnowsNothingOfWhatCannotBeTakenApart) {
  FrontFrames frames;
  const std::string text = "plain bytes, which have no box at their beginning";
  const auto content = std::as_bytes(std::span{text});
  frames.start(segment(0), QualityIndex{1});
  EXPECT_FALSE(frames.came(segment(0), {20_B, 40_B}, content.first(40)));
  EXPECT_FALSE(frames.came(segment(0), {0_B, 20_B}, content.first(40)));
  EXPECT_FALSE(frames.came(segment(0), {40_B, 49_B}, content));
  EXPECT_FALSE(frames.came(segment(1), {0_B, 9_B}, content)) << "it was not started";
}

}  // namespace
}  // namespace tributary
