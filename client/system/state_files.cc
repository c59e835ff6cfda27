#include "system/state_files.hh"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tributary {

namespace fs = std::filesystem;

namespace {

/// Removes a file that a killed program has left unfinished: it begins like the text. Refuses any other file of that
/// name.
void remove_unfinished(const fs::path& unfinished, std::string_view text) {
  constexpr std::size_t kTold = 24;
  const fs::file_type type = fs::symlink_status(unfinished).type();
  if (type == fs::file_type::not_found) return;
  std::string begin(kTold, '\0');
  if (type == fs::file_type::regular) {
    std::ifstream in{unfinished, std::ios::binary};
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(in.gcount()));
  }
  if (!text.starts_with(begin)) {
    throw std::runtime_error(
        fmt::format("{} is there already, and was not left behind by a program that was killed: "
                    "move it away",
                    unfinished.string()));
  }
  fs::remove(unfinished);
}

}  // namespace

std::string state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return std::string{state} + "/tributary";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] == '\0')
    throw std::runtime_error("neither XDG_STATE_HOME nor HOME is set: nowhere to keep what is known of networks");
  return std::string{home} + "/.local/state/tributary";
}

fs::path lock_path(const fs::path& folder, std::string_view name) {
  fs::create_directories(folder);
  return folder / fmt::format("{}.lock", name);
}

std::optional<std::string> text_of_file(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return text.str();
}

void replace_file(const fs::path& path, std::string_view text, Kept kept, Readable readable) {
  const fs::path unfinished = path.string() + ".new";
  remove_unfinished(unfinished, text);
  OpenFile file{unfinished, O_WRONLY | O_CREAT | O_EXCL};
  kept == Kept::kOnDisk ? file.write_whole(text) : file.write_at_begin(text);
  if (readable == Readable::kForAll)
    fs::permissions(unfinished, fs::perms::group_read | fs::perms::others_read, fs::perm_options::add);
  fs::rename(unfinished, path);
}

fs::path put_aside(const fs::path& path) {
  for (int i = 1;; ++i) {
    const fs::path aside = fmt::format("{}.damaged-{}", path.string(), i);
    if (fs::exists(aside)) continue;
    fs::rename(path, aside);
    return aside;
  }
}

}  // namespace tributary
