#pragma once

#include <fstream>
#include <optional>
#include <string>

namespace tributary {

/// A file that the user asked for. It is opened before the run, so that a wrong path costs no run, and written whole or
/// complained about. Nothing happens where no file was asked for.
class OutputFile {
 public:
  /// Throws std::runtime_error with the path and the reason.
  explicit OutputFile(const std::optional<std::string>& path);

  bool wanted() const { return stream_.is_open(); }
  std::ostream& stream() { return stream_; }
  /// Throws std::runtime_error if not everything could be written.
  void close();

 private:
  std::string path_;
  std::ofstream stream_;
};

}  // namespace tributary
