#include "player/memory/history_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <glib.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "player/glib/g_handles.hh"
#include "presentation/json/json_error.hh"
#include "system/file_descriptor.hh"

namespace tributary::play {
namespace {

/// Lets one writer in at a time. If the lock cannot be had within 100 ms, the last writer wins: the window must not
/// wait.
class FileLock {
 public:
  explicit FileLock(const std::string& path)
      : fd_{open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)} {
    constexpr int kTries = 20;
    constexpr gulong kPauseMicroseconds = 5'000;
    for (int i = 0; fd_.is_open() && i < kTries && flock(fd_.get(), LOCK_EX | LOCK_NB) != 0; ++i)
      g_usleep(kPauseMicroseconds);
  }

 private:
  FileDescriptor fd_;
};

}  // namespace

HistoryFile::HistoryFile(std::string path, Complain complain)
    : path_{std::move(path)}, complain_{std::move(complain)} {}

std::string HistoryFile::usual_path() {
  return std::filesystem::path{g_get_user_state_dir()} / "tributary" / "play.json";
}

std::optional<AddressHistory> HistoryFile::load() const {
  char* bytes = nullptr;
  gsize length = 0;
  GError* error = nullptr;
  if (!g_file_get_contents(path_.c_str(), &bytes, &length, &error)) {
    const GlibError unreadable{error};
    if (g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) return AddressHistory{};
    complain_(error->message);
    return std::nullopt;
  }
  const GlibString text{bytes};
  try {
    return AddressHistory::from_json({text.get(), length});
  } catch (const JsonError& wrong) {
    const std::string aside = path_ + ".unreadable";
    std::error_code failed;
    std::filesystem::rename(path_, aside, failed);
    complain_(fmt::format("{}: {}{}", path_, wrong.what(), failed ? "" : "; it is now " + aside));
    if (failed) return std::nullopt;
    return AddressHistory{};
  }
}

void HistoryFile::change(const std::function<void(AddressHistory&)>& change) const {
  constexpr int kOnlyTheUser = 0700;
  const std::string folder = std::filesystem::path{path_}.parent_path();
  if (g_mkdir_with_parents(folder.c_str(), kOnlyTheUser) != 0) {
    complain_(fmt::format("cannot make {}: {}", folder, std::strerror(errno)));
    return;
  }
  const FileLock alone{path_ + ".lock"};
  std::optional<AddressHistory> history = load();
  if (!history) return;
  change(*history);
  const std::string text = history->to_json();
  GError* error = nullptr;
  if (!g_file_set_contents_full(path_.c_str(), text.data(), static_cast<gssize>(text.size()),
                                G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error)) {
    complain_(GlibError { error } -> message);
  }
}

}  // namespace tributary::play
