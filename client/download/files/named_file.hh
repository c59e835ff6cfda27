#pragma once

#include <optional>
#include <string>

namespace tributary {

/// The file that a user means by a name.
struct NamedFile {
  std::string path;                 // behind all symbolic links; there may be no such file yet
  std::optional<int> descriptor{};  // it is open here: /dev/stdout, /dev/fd/N
};

/// Follows the symbolic links in the name. In a directory such as /tmp, where every user may make files, the link of
/// another user is not followed (the rule fs.protected_symlinks of Linux). Throws WriteError
/// (download/files/destination.hh).
NamedFile follow_links(const std::string& name);

}  // namespace tributary
