#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tributary::segmenter {

enum class VideoCodec { kH264, kHevc, kAv1 };

/// How pictures are encoded, the same in all qualities.
struct VideoEncoding {
  VideoCodec codec = VideoCodec::kH264;
  std::string encoder;  // as libavcodec calls it; empty: the usual one for the codec
  std::string preset;   // empty: veryfast, or what an encoder that is not one of the usual does by itself
};

/// "h264", "hevc", "av1".
std::vector<std::string> video_codec_names();
/// Throws std::invalid_argument for any other.
VideoCodec video_codec_from(std::string_view name);

/// Whether it is one whose words are known (encoder_dialect.hh): libx264, libx265, libsvtav1, or that of the codec.
bool is_usual_encoder(const VideoEncoding& encoding);

/// From "ultrafast" to "veryslow": those of x264, which stand for the presets of the other encoders, too.
const std::vector<std::string>& preset_names();

}  // namespace tributary::segmenter
