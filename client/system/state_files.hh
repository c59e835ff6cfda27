#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "system/open_file.hh"

namespace tributary {

/// Small files that programs of a user keep between runs and share. A file is replaced whole, so that it can always be
/// read; only the holder of the lock beside it may do so. Functions throw std::runtime_error or fs::filesystem_error
/// that names the file.

/// $XDG_STATE_HOME/tributary, or ~/.local/state/tributary. Throws std::runtime_error if there is no home directory.
std::string state_folder();

/// FOLDER/NAME.lock, for the caller to open and lock. Creates the folder.
std::filesystem::path lock_path(const std::filesystem::path& folder, std::string_view name);

/// Nothing if there is no such file.
std::optional<std::string> text_of_file(const std::filesystem::path& path);

/// Replaces a file, readable for the user alone unless it is for everybody. The new file stays if this program is killed; with kOnDisk, which is
/// slow, also after a loss of power.
enum class Kept { kOnDisk, kBySystem };
enum class Readable { kForUser, kForAll };
void replace_file(const std::filesystem::path& path, std::string_view text, Kept kept = Kept::kOnDisk,
                  Readable readable = Readable::kForUser);

/// Renames a damaged file to PATH.damaged-1, or to the first free name of that kind.
std::filesystem::path put_aside(const std::filesystem::path& path);

}  // namespace tributary
