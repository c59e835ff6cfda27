#pragma once

#include <optional>
#include <string>

namespace tributary {

/// The file that a download becomes.
struct WantedName {
  std::string output;      // of the user: a file, a folder, or nothing
  std::string usual;       // without one, and in a folder
  bool replaces = false;   // a file of this name may be replaced
  bool continues = false;  // the file may be there: a part of it, or all
};

/// Its name. A file that is there is not replaced: the usual name gets a number, "film.1.iso". Throws WriteError if the
/// user has named a file that is there. What is no regular file is written in place, and never replaced.
std::string name_for(const WantedName& wanted);

/// The last part of a name that a server has given; nothing if no file should have it: a name that begins with a dot, or
/// that holds characters which command a terminal, or turn the direction of writing.
std::optional<std::string> safe_file_name(const std::string& given);

/// The path is that of a folder, which files can be written into.
bool is_folder(const std::string& path);

}  // namespace tributary
