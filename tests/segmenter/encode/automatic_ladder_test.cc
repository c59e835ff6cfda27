#include "segmenter/encode/automatic_ladder.hh"

#include <gtest/gtest.h>

namespace tributary::segmenter {
namespace {

using namespace literals;

PictureFormat source(PictureSize size, std::optional<DataRate> rate, AVCodecID codec = AV_CODEC_ID_H264) {
  PictureFormat format;
  format.shown = size;
  format.rate = {25, 1};
  format.codec = codec;
  format.data_rate = rate;
  return format;
}

std::vector<std::string> names(const std::vector<Quality>& ladder) {
  std::vector<std::string> names;
  for (const Quality& quality : ladder) names.push_back(quality.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(AutomaticLadder, EndsWithTheSizeOfTheSource) {
  const auto of = [](PictureSize size) {
    return names(automatic_ladder(source(size, std::nullopt), VideoCodec::kH264));
  };
  EXPECT_EQ(of({1280, 720}), (Names{"240p", "360p", "480p", "720p"}));
  EXPECT_EQ(of({1080, 1920}), (Names{"240p", "360p", "480p", "720p", "1080p"}));  // upright
  EXPECT_EQ(of({160, 90}), (Names{"90p"}));
}

TEST(AutomaticLadder, NothingIsEnlargedAndTheShapeIsKept) {
  const auto ladder = automatic_ladder(source({1920, 800}, std::nullopt), VideoCodec::kH264);
  ASSERT_EQ(ladder.back().name, "1080p");
  EXPECT_EQ(*ladder.back().size, (PictureSize{1920, 800}));
  EXPECT_EQ(*ladder[1].size, (PictureSize{640, 266}));
}

TEST(AutomaticLadder, NoRateIsAboveThatOfTheSource) {
  const auto ladder = automatic_ladder(source({1920, 1080}, 4_Mbps), VideoCodec::kH264);
  EXPECT_EQ(ladder.back().name, "1080p");
  EXPECT_EQ(ladder.back().rate, 4_Mbps);
  // 1080 lines at 2.6 Mbit/s are no better than 720 at 2.5.
  EXPECT_EQ(names(automatic_ladder(source({1920, 1080}, 2600_kbps), VideoCodec::kH264)).back(), "720p");
  EXPECT_EQ(automatic_ladder(source({1920, 1080}, 100_kbps), VideoCodec::kH264).size(), 1u);
}

TEST(AutomaticLadder, RatesAreThoseOfTheCodec) {
  const PictureFormat film = source({1920, 1080}, std::nullopt);
  EXPECT_EQ(automatic_ladder(film, VideoCodec::kHevc).back().rate, 0.65 * (5_Mbps));
  EXPECT_EQ(automatic_ladder(film, VideoCodec::kAv1).back().rate, 0.55 * (5_Mbps));
  // 2.6 Mbit/s of HEVC hold what 4 Mbit/s of H.264 do.
  const auto ladder = automatic_ladder(source({1920, 1080}, 2600_kbps, AV_CODEC_ID_HEVC), VideoCodec::kH264);
  EXPECT_NEAR(ladder.back().rate.bits_per_second(), 4e6, 1);
}

}  // namespace
}  // namespace tributary::segmenter
