#pragma once

#include <cerrno>
#include <fstream>

namespace tributary {

/// A std::filebuf that keeps the reason of its first failed write. A std::ofstream only remembers that one failed, and
/// `errno` is another's by the time that somebody asks.
class RememberingFilebuf : public std::filebuf {
 public:
  /// An `errno`; 0 as long as all writes have succeeded.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type character) override {
    errno = 0;
    return noted(std::filebuf::overflow(character), traits_type::eof());
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    errno = 0;
    const std::streamsize written = std::filebuf::xsputn(text, count);
    (void)noted(written == count, false);
    return written;
  }
  int sync() override {
    errno = 0;
    return noted(std::filebuf::sync(), -1);
  }

 private:
  template <typename Result>
  Result noted(Result result, Result failed) {
    if (result == failed && error_ == 0) error_ = errno == 0 ? EIO : errno;
    return result;
  }

  int error_ = 0;
};

}  // namespace tributary
