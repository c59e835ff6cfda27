#include "sink/file_sink.hh"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace tributary {

FileSink::FileSink(const std::string& folder) : picture_{folder + "/picture", {}}, sound_{folder + "/sound", {}} {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw std::runtime_error(fmt::format("cannot make {}: {}", folder, failed.message()));
  picture_.open();
}

void FileSink::take(SegmentIndex /*segment*/, std::vector<MediaPart> parts) {
  for (const MediaPart& part : parts) {
    Output& output = part.kind == TrackKind::kAudio ? sound_ : picture_;
    if (!output.stream.is_open()) output.open();
    errno = 0;
    output.stream.write(reinterpret_cast<const char*>(part.bytes.data()), std::ssize(part.bytes));
    output.check(output.stream.good());
  }
}

void FileSink::close() {
  for (Output* output : {&picture_, &sound_}) {
    if (!output->stream.is_open()) continue;
    errno = 0;
    output->stream.close();
    output->check(!output->stream.fail());
  }
}

void FileSink::Output::open() {
  errno = 0;
  stream.open(path, std::ios::binary);
  check(stream.is_open());
}

void FileSink::Output::check(bool good) const {
  if (!good) throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace tributary
