#include "clip.hh"

#include <fmt/format.h>

#include <stdexcept>

#include "child_process.hh"

namespace tributary::segmenter {

std::filesystem::path make_clip(const std::filesystem::path& directory, const Clip& clip) {
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
                                 clip.sound_codec, "-shortest", "-bitexact", path.string()});
  must_run(command);
  return path;
}

}  // namespace tributary::segmenter
