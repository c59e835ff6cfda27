#include "system/watched_file.hh"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace tributary {
namespace {

constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;

}  // namespace

WatchedFile::WatchedFile(const std::filesystem::path& path)
    : name_{path.filename().string()}, inotify_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)} {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (!inotify_.is_open() || ::inotify_add_watch(inotify_.get(), folder.c_str(), kChanges) < 0)
    throw std::system_error{errno, std::generic_category(), "watch " + folder.string()};
}

bool WatchedFile::changed() {
  bool changed = false;
  alignas(inotify_event) std::array<char, 4096> events;
  for (ssize_t size = 0; (size = ::read(inotify_.get(), events.data(), events.size())) > 0;) {
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const auto* event = reinterpret_cast<const inotify_event*>(events.data() + at);
      // If the queue has overflown, nobody knows.
      changed = changed || (event->mask & IN_Q_OVERFLOW) != 0 || (event->len > 0 && name_ == event->name);
      at += sizeof(inotify_event) + event->len;
    }
  }
  return changed;
}

}  // namespace tributary
