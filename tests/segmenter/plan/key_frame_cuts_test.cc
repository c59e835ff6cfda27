#include "segmenter/plan/key_frame_cuts.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::segmenter {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Pictures = std::vector<std::uint64_t>;

KeyFrames file(Pictures at, std::uint64_t pictures = 1000) {
  return {.file = "x", .at = std::move(at), .pictures = pictures};
}

Pictures cuts(const std::vector<KeyFrames>& files) { return common_cuts(files, 50); }

TEST(KeyFrameCuts, AreAsWishedWhereKeyFramesAllowIt) {
  EXPECT_THAT(cuts({file({0, 25, 50, 75, 100, 125, 150})}), ElementsAre(0, 50, 100, 150));
}

TEST(KeyFrameCuts, TakeTheKeyFrameThatComesNearest) {
  EXPECT_THAT(cuts({file({0, 30, 48, 60, 110, 250})}), ElementsAre(0, 48, 110, 250));
  EXPECT_THAT(cuts({file({0, 98, 102, 250})}), ElementsAre(0, 98, 250)) << "none of four pictures";
}

TEST(KeyFrameCuts, AreThoseThatAllFilesHave) {
  const std::vector<KeyFrames> files{file({0, 40, 50, 100, 160}), file({0, 50, 90, 160})};
  EXPECT_THAT(common_cuts(files, 50), ElementsAre(0, 50, 160));
}

TEST(KeyFrameCuts, TellWhichFilesAreApart) {
  const std::vector<KeyFrames> files{file({0, 50, 100, 150}, 300), file({0, 50, 101, 151}, 300)};
  const Pictures at = common_cuts(files, 50);
  ASSERT_EQ(apart(files, at, 200).size(), 1U);
  EXPECT_EQ(apart(files, at, 200)[0].second, 1U);
  EXPECT_EQ(apart(files, at, 200)[0].from, 50U);
  EXPECT_EQ(apart(files, at, 200)[0].to, 300U);
  EXPECT_THAT(apart(files, at, 250), IsEmpty());
}

TEST(KeyFrameCuts, OneFileWithFewKeyFramesIsNotApart) {
  const std::vector<KeyFrames> files{file({0, 50, 100, 150}), file({0})};
  EXPECT_THAT(apart(files, common_cuts(files, 50), 100), IsEmpty());
}

}  // namespace
}  // namespace tributary::segmenter
