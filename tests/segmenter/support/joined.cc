#include "joined.hh"

#include <cstdlib>
#include <fstream>

#include "child_process.hh"
#include "file_content.hh"

namespace tributary::segmenter {
namespace {

std::string bytes_of(const std::filesystem::path& directory, const Resource& resource) {
  std::string content = content_of(directory / resource.uri);
  if (resource.whole_file) return content;
  return content.substr(static_cast<std::size_t>(resource.range.begin.bytes()),
                        static_cast<std::size_t>(resource.range.size().bytes()));
}

}  // namespace

std::filesystem::path joined(const std::filesystem::path& directory, const Track& track, std::size_t first,
                             std::size_t last) {
  const std::filesystem::path path = directory / "joined.mp4";
  std::ofstream file{path, std::ios::binary};
  file << bytes_of(directory, *track.init);
  for (std::size_t i = first; i < last; ++i) {
    file << bytes_of(directory, track.segment(static_cast<SegmentIndex>(i)));
  }
  return path;
}

double tone_begins(const std::filesystem::path& directory, const Track& sound) {
  const Outcome outcome = run({FFMPEG, "-v", "error", "-i", joined(directory, sound, 0, sound.sizes.size()).string(),
                               "-f", "s16le", "-ac", "1", "-"});
  for (std::size_t i = 0; i + 1 < outcome.out.size(); i += 2) {
    const int sample = static_cast<std::int16_t>(static_cast<unsigned char>(outcome.out[i]) |
                                                 static_cast<unsigned char>(outcome.out[i + 1]) << 8);
    if (std::abs(sample) > 1500) return static_cast<double>(i) / 2 / sound.sample_rate;
  }
  return -1;
}

}  // namespace tributary::segmenter
