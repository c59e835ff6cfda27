#include "player/desktop/served_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tributary::play {
namespace {

/// The kernel checks each step of the path (RESOLVE_BENEATH). O_NONBLOCK: does not wait for a FIFO.
int open_beneath(int folder, const std::string& name) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how));
}

/// A number that is too large becomes INT64_MAX. Nothing if the text is no number.
std::optional<std::int64_t> number(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || digits.front() == '-' || end != digits.data() + digits.size()) return std::nullopt;
  return error == std::errc::result_out_of_range ? INT64_MAX : value;
}

}  // namespace

std::optional<ServedFile> ServedFile::open(const std::string& folder, const std::string& name) {
  const FileDescriptor place{::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (!place.is_open()) return std::nullopt;
  ServedFile file{FileDescriptor{open_beneath(place.get(), name)}};
  struct stat status {};
  if (!file.fd_.is_open() || fstat(file.fd_.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  file.size_ = status.st_size;
  file.tag_ = file.tag_now().value_or("");
  return file;
}

std::vector<char> ServedFile::read(std::int64_t offset, std::int64_t length) const {
  std::vector<char> bytes(static_cast<std::size_t>(length));
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = pread(fd_.get(), bytes.data() + filled, bytes.size() - filled,
                              static_cast<off_t>(offset) + static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(tag_now() == tag_ ? filled : 0);  // checked after reading, so that the bytes are of that version
  return bytes;
}

std::optional<std::string> ServedFile::tag_now() const {
  struct stat status {};
  if (fstat(fd_.get(), &status) != 0) return std::nullopt;
  return fmt::format("\"{:x}-{:x}-{:x}\"", status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_size);
}

std::optional<FilePart> asked_part(const std::string& range, std::int64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  std::string_view text = range;
  if (!text.starts_with(kUnit)) return std::nullopt;
  text.remove_prefix(kUnit.size());
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = number(text.substr(0, dash)), last = number(text.substr(dash + 1));
  const bool open_end = dash + 1 == text.size();
  if (dash == 0) return last ? std::optional{FilePart{size - std::min(*last, size), size}} : std::nullopt;
  if (!first || (!last && !open_end) || (last && *last < *first)) return std::nullopt;
  const std::int64_t end = open_end || *last >= size ? size : *last + 1;
  return FilePart{std::min(*first, end), end};
}

}  // namespace tributary::play
