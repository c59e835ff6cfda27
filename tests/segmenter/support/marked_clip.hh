#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tributary::segmenter {

/// A clip of three seconds in which the picture flashes and the sound clicks at the first picture of the second half of
/// each second.
struct MarkedClip {
  std::string name = "clip.mkv";
  std::string frame_rate = "25";
  int sample_rate = 48000;
  std::vector<std::string> options{};  // for ffmpeg: filters, codecs
};

/// Makes the clip in the directory with ffmpeg.
std::filesystem::path make_marked_clip(const std::filesystem::path& directory, const MarkedClip& clip);

/// Seconds.
struct Marks {
  std::vector<double> flashes, clicks;
};

/// Where they are after decoding a file, or a playlist of HLS.
Marks find_marks(const std::filesystem::path& media, int sample_rate);

}  // namespace tributary::segmenter
