#include "segmenter/libav/colors.hh"

#include <gtest/gtest.h>

namespace tributary::segmenter {
namespace {

constexpr Colors kNothing;
constexpr Colors kHd{AVCOL_PRI_BT709, AVCOL_TRC_BT709, AVCOL_SPC_BT709};
constexpr Colors kSd525{AVCOL_PRI_SMPTE170M, AVCOL_TRC_SMPTE170M, AVCOL_SPC_SMPTE170M};
constexpr Colors kSd625{AVCOL_PRI_BT470BG, AVCOL_TRC_SMPTE170M, AVCOL_SPC_BT470BG};

TEST(Colors, WhatIsNotStatedIsGuessedByTheSize) {
  EXPECT_EQ(complete_colors(kNothing, {1920, 1080}), kHd);
  EXPECT_EQ(complete_colors(kNothing, {1280, 534}), kHd) << "a wide film";
  EXPECT_EQ(complete_colors(kNothing, {720, 1280}), kHd) << "a telephone's";
  EXPECT_EQ(complete_colors(kNothing, {720, 576}), kSd625);
  EXPECT_EQ(complete_colors(kNothing, {720, 480}), kSd525);
  EXPECT_EQ(complete_colors(kNothing, {320, 180}), kSd525);
}

TEST(Colors, WhatIsStatedStays) {
  const Colors wide{AVCOL_PRI_BT2020, AVCOL_TRC_BT2020_10, AVCOL_SPC_BT2020_NCL};
  const Colors odd{AVCOL_PRI_SMPTE432, AVCOL_TRC_IEC61966_2_1, AVCOL_SPC_YCGCO};
  for (const Colors colors : {kHd, kSd525, kSd625, wide, odd}) {
    EXPECT_EQ(complete_colors(colors, {1920, 1080}), colors);
    EXPECT_EQ(complete_colors(colors, {320, 180}), colors);
  }
}

TEST(Colors, TheRestFollowsFromTheMatrix) {
  const Colors wide{AVCOL_PRI_BT2020, AVCOL_TRC_BT2020_10, AVCOL_SPC_BT2020_NCL};
  EXPECT_EQ(complete_colors({.matrix = AVCOL_SPC_BT2020_NCL}, {320, 180}), wide);
  EXPECT_EQ(complete_colors({.matrix = AVCOL_SPC_BT709}, {320, 180}), kHd);
  EXPECT_EQ(complete_colors({.matrix = AVCOL_SPC_SMPTE170M}, {1920, 1080}), kSd525);
  EXPECT_EQ(complete_colors({.transfer = AVCOL_TRC_IEC61966_2_1}, {1920, 1080}),
            (Colors{AVCOL_PRI_BT709, AVCOL_TRC_IEC61966_2_1, AVCOL_SPC_BT709}));
}

TEST(Colors, WhatCannotBeIsAsGoodAsNothing) {
  EXPECT_EQ(complete_colors({.matrix = AVCOL_SPC_RGB}, {1920, 1080}), kHd) << "what is encoded is not RGB";
  EXPECT_EQ(complete_colors({AVCOL_PRI_RESERVED, AVCOL_TRC_RESERVED, AVCOL_SPC_RESERVED}, {1920, 1080}), kHd);
  EXPECT_EQ(complete_colors({AVCOL_PRI_RESERVED0, AVCOL_TRC_RESERVED0, AVCOL_SPC_UNSPECIFIED}, {320, 180}), kSd525);
}

}  // namespace
}  // namespace tributary::segmenter
