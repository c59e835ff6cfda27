#include "segmenter/video_encoding.hh"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tributary::segmenter {

std::vector<std::string> video_codec_names() { return {"h264", "hevc", "av1"}; }

VideoCodec video_codec_from(std::string_view name) {
  const std::vector<std::string> names = video_codec_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument(fmt::format("\"{}\" is no codec for pictures", name));
  return static_cast<VideoCodec>(found - names.begin());
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
