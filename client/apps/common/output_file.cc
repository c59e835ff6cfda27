#include "apps/common/output_file.hh"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace tributary {

OutputFile::OutputFile(const std::optional<std::string>& path) {
  if (!path) return;
  path_ = *path;
  errno = 0;
  stream_.open(path_, std::ios::binary);
  if (!stream_) throw std::runtime_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

void OutputFile::close() {
  if (!stream_.is_open()) return;
  errno = 0;
  stream_.close();
  if (!stream_) throw std::runtime_error(fmt::format("{} could not be written whole: {}", path_, std::strerror(errno)));
}

}  // namespace tributary
