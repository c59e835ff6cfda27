#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "worlds/memory/open_file.hh"

namespace tributary {

/// What programs of a user keep between runs, in small files that several of them share: each is replaced whole, so that it can
/// always be read, by whoever has the lock beside it. What fails throws std::runtime_error or fs::filesystem_error that names it.

/// $XDG_STATE_HOME/tributary, or ~/.local/state/tributary. Throws std::runtime_error where there is no home.
std::string state_folder();

/// FOLDER/NAME.lock, to be opened and locked, once the folder is there.
std::filesystem::path lock_path(const std::filesystem::path& folder, std::string_view name);

/// Nothing if there is no such file.
std::optional<std::string> text_of_file(const std::filesystem::path& path);

/// Readable for the user alone. There when this program is killed at once, and with kOnDisk, which takes its time, also after a loss
/// of power.
enum class Kept { kOnDisk, kBySystem };
void replace_file(const std::filesystem::path& path, std::string_view text, Kept kept = Kept::kOnDisk);

/// Renames a file that is damaged, to PATH.damaged-1 or the first such name that nothing has yet.
std::filesystem::path put_aside(const std::filesystem::path& path);

}  // namespace tributary
