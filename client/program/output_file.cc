#include "program/output_file.hh"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace tributary {

OutputFile::OutputFile(const std::optional<std::string>& path) {
  if (!path) return;
  path_ = *path;
  errno = 0;
  if (buffer_.open(path_, std::ios::out | std::ios::binary) == nullptr)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

void OutputFile::close() {
  if (!buffer_.is_open()) return;
  errno = 0;
  if (buffer_.close() != nullptr && stream_) return;
  throw std::runtime_error(fmt::format("{} could not be written whole: {}", path_,
                                       std::strerror(buffer_.error() == 0 ? errno : buffer_.error())));
}

}  // namespace tributary
