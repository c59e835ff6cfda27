#include "marked_clip.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "child_process.hh"

namespace tributary::segmenter {
namespace {

std::string decode(std::vector<std::string> arguments, const std::filesystem::path& media) {
  arguments.insert(arguments.begin(), {FFMPEG, "-v", "error", "-copyts", "-i", media.string()});
  return must_run(arguments);
}

std::vector<double> flashes_in(const std::string& report) {
  std::vector<double> flashes;
  std::istringstream lines{report};
  double time = 0;
  bool was_bright = false;
  for (std::string line; std::getline(lines, line);) {
    if (const auto at = line.find("pts_time:"); at != std::string::npos) time = std::stod(line.substr(at + 9));
    if (const auto at = line.find("YAVG="); at != std::string::npos) {
      const bool bright = std::stod(line.substr(at + 5)) > 120;
      if (bright && !was_bright) flashes.push_back(time);
      was_bright = bright;
    }
  }
  return flashes;
}

std::vector<double> clicks_in(const std::string& samples, int sample_rate) {
  std::vector<double> clicks;
  constexpr int kLoud = 5000;
  double heard = -1;
  for (std::size_t i = 0; i + 1 < samples.size(); i += 2) {
    const int sample = static_cast<std::int16_t>(static_cast<unsigned char>(samples[i]) |
                                                 static_cast<unsigned char>(samples[i + 1]) << 8);
    if (std::abs(sample) < kLoud) continue;
    const double time = static_cast<double>(i) / 2 / sample_rate;
    if (time - heard > 0.3) clicks.push_back(time);
    heard = time;
  }
  return clicks;
}

}  // namespace

std::filesystem::path make_marked_clip(const std::filesystem::path& directory, const MarkedClip& clip) {
  const std::filesystem::path path = directory / clip.name;
  const std::string mark = fmt::format("(ceil((floor(t)+0.5)*{0}-0.001)/({0}))", clip.frame_rate);
  std::vector<std::string> command{
      FFMPEG,
      "-v",
      "error",
      "-f",
      "lavfi",
      "-i",
      fmt::format("color=black:s=160x90:r={0}:d=3,format=yuv420p,"
                  "drawbox=t=fill:color=white:enable='between(t,{1}-0.001,{1}+0.5/({0}))'",
                  clip.frame_rate, mark),
      "-f",
      "lavfi",
      "-i",
      fmt::format("aevalsrc='0.5*sin(2*PI*1000*t)*between(t,{},{}+0.03)':s={}:d=3", mark, mark, clip.sample_rate),
      "-c:v",
      "libx264",
      "-preset",
      "ultrafast"};
  command.insert(command.end(), clip.options.begin(), clip.options.end());
  command.push_back(path.string());
  must_run(command);
  return path;
}

Marks find_marks(const std::filesystem::path& media, int sample_rate) {
  return {flashes_in(decode({"-map", "0:v:0", "-vf", "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-",
                             "-f", "null", "-"},
                            media)),
          clicks_in(
              decode({"-map", "0:a:0", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-f", "s16le", "-"}, media),
              sample_rate)};
}

}  // namespace tributary::segmenter
