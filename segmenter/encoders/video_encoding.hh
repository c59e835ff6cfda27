#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tributary::segmenter {

enum class VideoCodec { kH264, kHevc, kAv1 };

/// How the rate of a quality is kept.
enum class RateControl {
  kAverage,    // it is the average, and what is larger is limited
  kCappedCrf,  // the quality of the picture is constant, and the rate a limit
  kTwoPass,    // the average; all pictures are looked at before the first is encoded
};

/// How pictures are encoded, the same in all qualities.
struct VideoEncoding {
  VideoCodec codec = VideoCodec::kH264;
  std::string encoder;  // as libavcodec calls it; empty: the usual one for the codec
  std::string preset;   // empty: veryfast, or what an encoder that is not one of the usual does by itself
  RateControl rate_control = RateControl::kAverage;
  std::optional<int> crf;  // in the words of the encoder; nothing: usual for the codec
};

/// "h264", "hevc", "av1".
std::vector<std::string> video_codec_names();
/// Throws std::invalid_argument for any other.
VideoCodec video_codec_from(std::string_view name);

/// "vbr", "capped-crf", "2pass".
std::vector<std::string> rate_control_names();
/// Throws std::invalid_argument for any other.
RateControl rate_control_from(std::string_view name);

/// Whether it is one whose words are known (encoder_dialect.hh): libx264, libx265, libsvtav1, or that of the codec.
bool is_usual_encoder(const VideoEncoding& encoding);

/// From "ultrafast" to "veryslow": those of x264, which stand for the presets of the other encoders, too.
const std::vector<std::string>& preset_names();

}  // namespace tributary::segmenter
