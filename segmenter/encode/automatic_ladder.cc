#include "segmenter/encode/automatic_ladder.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tributary::segmenter {
namespace {

using namespace literals;

struct Step {
  int lines;      // of a picture of 16:9; others fit into that
  DataRate rate;  // of H.264 at up to 30 pictures a second
};
constexpr std::array<Step, 7> kSteps{{{240, 400_kbps},
                                      {360, 750_kbps},
                                      {480, 1300_kbps},
                                      {720, 2500_kbps},
                                      {1080, 5000_kbps},
                                      {1440, 12000_kbps},
                                      {2160, 20000_kbps}}};
/// The least ratio between the rates of neighbours: a smaller step is not worth its place on the disk.
constexpr double kLeastStep = 1.25;
constexpr double kManyPictures = 35, kRateOfMany = 1.4;

/// The rate of a picture in a codec, relative to H.264.
double cost_in(AVCodecID codec) {
  switch (codec) {
    case AV_CODEC_ID_MPEG2VIDEO:
      return 2;
    case AV_CODEC_ID_HEVC:
    case AV_CODEC_ID_VP9:
      return 0.65;
    case AV_CODEC_ID_AV1:
      return 0.55;
    default:
      return 1;
  }
}

AVCodecID id_of(VideoCodec codec) {
  constexpr std::array<AVCodecID, 3> kIds{AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1};
  return kIds[static_cast<std::size_t>(codec)];
}

/// Lines of the picture of 16:9 into which `size` fits.
int lines_of(PictureSize size) {
  const auto [shorter, longer] = std::minmax(size.width, size.height);
  return std::max(shorter, static_cast<int>(std::lround(longer * 9 / 16.0)));
}

}  // namespace

std::vector<Quality> automatic_ladder(const PictureFormat& source, VideoCodec codec) {
  const double cost = cost_in(id_of(codec)) * (source.rate.per_second() > kManyPictures ? kRateOfMany : 1);
  const int lines = lines_of(source.shown);
  std::vector<Quality> ladder;
  for (const Step& step : kSteps) {
    if (!ladder.empty() && step.lines > lines) break;
    DataRate rate = cost * step.rate;
    if (source.data_rate) rate = std::min(rate, cost_in(id_of(codec)) / cost_in(source.codec) * *source.data_rate);
    if (!ladder.empty() && rate < kLeastStep * ladder.back().rate) break;
    rate = std::max(rate, 10_kbps);
    const double factor = std::min(1.0, static_cast<double>(step.lines) / lines);
    const PictureSize size{even_side(source.shown.width * factor), even_side(source.shown.height * factor)};
    ladder.push_back({fmt::format("{}p", std::min(step.lines, lines)), rate, size});
  }
  return ladder;
}

std::vector<Quality> ladder_for(const std::vector<Quality>& asked, const PictureFormat& source, VideoCodec codec) {
  return asked.empty() ? automatic_ladder(source, codec) : asked;
}

}  // namespace tributary::segmenter
