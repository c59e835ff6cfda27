#include "segmenter/plan/ladder.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace tributary::segmenter {
namespace {

using namespace literals;
using ::testing::HasSubstr;

TEST(Ladder, EntriesHaveANameARateAndPerhapsASize) {
  const std::vector<Quality> expected{{"low", 750_kbps, std::nullopt}, {"HD-2", 3_Mbps, PictureSize{1280, 720}}};
  EXPECT_EQ(parse_ladder("low=750k,HD-2=3Mbps@1280x720"), expected);
}

TEST(Ladder, AWrongEntryIsQuotedWithTheReason) {
  const auto refusal = [](const char* text) -> std::string {
    try {
      parse_ladder(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("low"), "ladder entry \"low\": expected NAME=RATE or NAME=RATE@WxH");
  EXPECT_THAT(refusal("low=750k,"), HasSubstr("ladder entry \"\": expected"));
  EXPECT_THAT(refusal("../x=750k"), HasSubstr("a name is of letters"));
  EXPECT_THAT(refusal("=750k"), HasSubstr("a name is of letters"));
  EXPECT_THAT(refusal("audio=750k"), HasSubstr("taken by the sound"));
  EXPECT_THAT(refusal("audio-2=750k"), HasSubstr("taken by the sound"));
  EXPECT_THAT(refusal("low=fast"), HasSubstr("\"fast\" is not a rate"));
  EXPECT_THAT(refusal("low=-1k"), HasSubstr("is not a rate"));
  EXPECT_THAT(refusal("low=1k"), HasSubstr("the rate must be"));
  EXPECT_THAT(refusal("a=1M,a=2M"), HasSubstr("the name is used twice"));
  for (const char* size : {"", "1280", "1280x", "x720", "1280x721", "0x0", "-2x2", "1280x720x3", "99999999999x2"}) {
    EXPECT_THAT(refusal((std::string{"a=1M@"} + size).c_str()), HasSubstr("a size is WIDTHxHEIGHT")) << size;
  }
}

TEST(Ladder, ASizeSuitsTheRateAndTheShapeOfTheSource) {
  const PictureSize hd{1920, 1080};
  EXPECT_EQ(picture_size({"", 750_kbps, {}}, hd), (PictureSize{640, 360}));
  EXPECT_EQ(picture_size({"", 1300_kbps, {}}, hd), (PictureSize{854, 480}));
  EXPECT_EQ(picture_size({"", 2150_kbps, {}}, hd), (PictureSize{1280, 720}));
  EXPECT_EQ(picture_size({"", 3000_kbps, {}}, hd), (PictureSize{1280, 720}));
  EXPECT_EQ(picture_size({"", 750_kbps, {}}, {1080, 1920}), (PictureSize{360, 640})) << "a telephone held upright";
  EXPECT_EQ(picture_size({"", 750_kbps, {}}, {2048, 858}), (PictureSize{860, 360}));
}

TEST(Ladder, NothingIsEnlarged) {
  EXPECT_EQ(picture_size({"", 3000_kbps, {}}, {853, 481}), (PictureSize{852, 480}));
  EXPECT_EQ(picture_size({"", 3000_kbps, PictureSize{1920, 1080}}, {640, 360}), (PictureSize{640, 360}));
  EXPECT_EQ(picture_size({"", 3000_kbps, PictureSize{320, 180}}, {640, 360}), (PictureSize{320, 180}));
}

}  // namespace
}  // namespace tributary::segmenter
