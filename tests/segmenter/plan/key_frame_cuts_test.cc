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

Agreement agreed(const std::vector<KeyFrames>& files, std::uint64_t together = 200, std::uint64_t alone = 500) {
  return agreement(files, 50, {.together = together, .alone = alone});
}

TEST(Agreement, NamesTheFileThatCannotBeCutWhereTheOthersAre) {
  const std::vector<KeyFrames> files{file({0, 50, 100, 150}, 300), file({0, 50, 101, 151}, 300)};
  const Agreement found = agreed(files);
  EXPECT_EQ(found.reference, 0U);
  EXPECT_THAT(found.cuts, ElementsAre(0, 50, 100, 150)) << "what differs moves no cut";
  ASSERT_EQ(found.differing.size(), 1U);
  EXPECT_EQ(found.differing[0].file, 1U);
  EXPECT_EQ(found.differing[0].from, 50U);
  EXPECT_EQ(found.differing[0].to, 300U);
  EXPECT_FALSE(found.differing[0].alone);
  EXPECT_THAT(agreed(files, 250).differing, IsEmpty());
}

TEST(Agreement, GoesByTheFileThatAgreesWithMostOthers) {
  const KeyFrames odd = file({0, 61, 121, 181, 241}, 300), even = file({0, 60, 120, 180, 240}, 300);
  const Agreement found = agreed({odd, even, file({0, 60, 120, 180}, 300)});
  EXPECT_EQ(found.reference, 1U);
  ASSERT_EQ(found.differing.size(), 1U);
  EXPECT_EQ(found.differing[0].file, 0U);
  EXPECT_EQ(agreed({odd, even}).reference, 0U) << "the first of those that agree with as many";
}

TEST(Agreement, OneFileWithFewKeyFramesDoesNotDiffer) {
  EXPECT_THAT(agreed({file({0, 50, 100, 150}, 400), file({0}, 400)}, 100).differing, IsEmpty());
}

TEST(Agreement, AFileThatCannotBeCutForTooLongDiffersFromEachOther) {
  const KeyFrames uncut = file({0, 50}, 900), cut = file({0, 200, 400, 600, 800}, 900);
  const Agreement found = agreed({uncut, cut}, 1000);
  EXPECT_EQ(found.reference, 1U);
  ASSERT_EQ(found.differing.size(), 1U);
  EXPECT_TRUE(found.differing[0].alone);
  EXPECT_EQ(found.differing[0].from, 50U);
  EXPECT_EQ(found.differing[0].to, 900U);
  EXPECT_FALSE(agreed({uncut, uncut}).reference);
  EXPECT_EQ(agreed({uncut, uncut}).differing.size(), 2U);
}

}  // namespace
}  // namespace tributary::segmenter
