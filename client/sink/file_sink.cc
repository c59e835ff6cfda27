#include "sink/file_sink.hh"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace tributary {

FileSink::FileSink(std::string path) : picture_{std::move(path), {}}, sound_{audio_path(picture_.path), {}} {
  picture_.open();
}

void FileSink::take(SegmentIndex /*segment*/, std::vector<MediaPart> parts) {
  for (const MediaPart& part : parts) {
    Output& output = part.kind == TrackKind::kAudio ? sound_ : picture_;
    if (!output.stream.is_open()) {
      refuse_beside_no_file();
      output.open();
    }
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

/// Throws unless the picture's file is a regular one: beside a device or a FIFO, files of ours do not belong.
void FileSink::refuse_beside_no_file() const {
  if (std::filesystem::is_regular_file(picture_.path)) return;
  throw std::runtime_error(
      fmt::format("cannot write {}: {} is no regular file, and there is sound to be written beside it", sound_.path,
                  picture_.path));
}

std::string FileSink::audio_path(const std::string& path) {
  const std::filesystem::path p{path};
  return (p.parent_path() / p.stem()).string() + ".audio" + p.extension().string();
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
