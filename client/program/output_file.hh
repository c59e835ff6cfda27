#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "system/remembering_filebuf.hh"

namespace tributary {

/// A file that the user may have asked for. Opened before the run, so that a wrong path costs no run. If the user asked
/// for no file, nothing happens.
class OutputFile {
 public:
  /// Throws std::runtime_error with the path and the reason.
  explicit OutputFile(const std::optional<std::string>& path);

  bool wanted() const { return buffer_.is_open(); }
  std::ostream& stream() { return stream_; }
  /// Throws std::runtime_error if the file could not be written whole, with the reason of the first failed write.
  void close();

 private:
  std::string path_;
  RememberingFilebuf buffer_;
  std::ostream stream_{&buffer_};
};

}  // namespace tributary
