#include "segmenter/encoders/video_encoding.hh"

#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace tributary::segmenter {
namespace {

std::ptrdiff_t place_in(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw std::invalid_argument(fmt::format("\"{}\" is not one of {}", name, fmt::join(names, ", ")));
  return found - names.begin();
}

}  // namespace

std::vector<std::string> video_codec_names() { return {"h264", "hevc", "av1"}; }

VideoCodec video_codec_from(std::string_view name) {
  return static_cast<VideoCodec>(place_in(video_codec_names(), name));
}

std::vector<std::string> rate_control_names() { return {"vbr", "capped-crf", "2pass"}; }

RateControl rate_control_from(std::string_view name) {
  return static_cast<RateControl>(place_in(rate_control_names(), name));
}

bool is_usual_encoder(const VideoEncoding& encoding) {
  const std::string& name = encoding.encoder;
  return name.empty() || name == "libx264" || name == "libx265" || name == "libsvtav1";
}

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> names{"ultrafast", "superfast", "veryfast", "faster",  "fast",
                                              "medium",    "slow",      "slower",   "veryslow"};
  return names;
}

}  // namespace tributary::segmenter
