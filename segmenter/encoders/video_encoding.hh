#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tributary::segmenter {

enum class VideoCodec { kH264, kHevc, kAv1 };

/// How an encoder keeps the rate of a quality.
enum class RateControl {
  kAverage,    // the rate is the average; peaks are limited
  kCappedCrf,  // the quality of the picture is constant; the rate is a limit
  kTwoPass,    // the rate is the average; the encoder sees all pictures before it encodes the first
};

/// How pictures are encoded, the same in all qualities.
struct VideoEncoding {
  VideoCodec codec = VideoCodec::kH264;
  std::string encoder;  // its name in libavcodec; empty: the usual one for the codec
  std::string preset;   // empty: veryfast, or the default of an encoder that is not one of the usual
  RateControl rate_control = RateControl::kAverage;
  std::optional<int> crf;  // on the encoder's scale; nothing: usual for the codec
};

/// "h264", "hevc", "av1".
std::vector<std::string> video_codec_names();
/// Throws std::invalid_argument for any other.
VideoCodec video_codec_from(std::string_view name);

/// "vbr", "capped-crf", "2pass".
std::vector<std::string> rate_control_names();
/// Throws std::invalid_argument for any other.
RateControl rate_control_from(std::string_view name);

/// Whether EncoderDialect knows the encoder: libx264, libx265, libsvtav1, or an empty name.
bool is_usual_encoder(const VideoEncoding& encoding);

/// The presets of x264, "ultrafast" to "veryslow", which stand for the presets of the other encoders, too.
const std::vector<std::string>& preset_names();

}  // namespace tributary::segmenter
