#include "clip.hh"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "child_process.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {

std::filesystem::path make_clip(const std::filesystem::path& directory, const Clip& clip) {
  static const TemporaryDirectory made_before;
  static std::map<std::vector<std::string>, std::filesystem::path> made;
  const std::filesystem::path path = directory / clip.name;
  std::filesystem::create_directories(path.parent_path());
  std::vector<std::string> command{
      FFMPEG, "-v", "error", "-f", "lavfi", "-i", fmt::format("testsrc2=s=160x90:r={}", clip.frame_rate)};
  if (clip.sample_rate > 0) {
    command.insert(command.end(), {"-itsoffset", clip.sound_delay, "-f", "lavfi", "-i",
                                   fmt::format("sine=frequency=1000:sample_rate={}:duration=20", clip.sample_rate)});
  }
  command.insert(command.end(), {"-filter:v", clip.picture_filter, "-frames:v", std::to_string(clip.pictures), "-vsync",
                                 "passthrough", "-c:v", "libx264", "-preset", "ultrafast", "-threads", "1", "-c:a",
                                 clip.sound_codec, "-shortest", "-bitexact"});
  std::vector<std::string> what = command;
  what.push_back(path.extension());
  auto& first = made[what];
  if (first.empty()) {
    const std::filesystem::path file = made_before.path() / (std::to_string(made.size()) + path.extension().string());
    command.push_back(file.string());
    must_run(command);
    first = file;
  }
  std::filesystem::copy_file(first, path, std::filesystem::copy_options::overwrite_existing);
  return path;
}

}  // namespace tributary::segmenter
