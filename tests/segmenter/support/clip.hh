#pragma once

#include <filesystem>
#include <ostream>
#include <string>

namespace tributary::segmenter {

/// A small clip to encode: a moving test picture of 160x90, and a tone.
struct Clip {
  std::string frame_rate = "25";
  int pictures = 80;
  int sample_rate = 48000;        // 0: no sound
  std::string sound_delay = "0";  // seconds
  std::string sound_codec = "pcm_s16le";
  std::string picture_filter = "null";
  std::string name = "clip.mkv";
};

inline void PrintTo(const Clip& clip, std::ostream* out) {
  *out << clip.name << ", " << clip.pictures << " pictures at " << clip.frame_rate << ", " << clip.sample_rate << " Hz";
}

/// Makes the clip in the directory with ffmpeg: always the same bytes.
std::filesystem::path make_clip(const std::filesystem::path& directory, const Clip& clip);

}  // namespace tributary::segmenter
