#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "download/files/checksum.hh"

namespace tributary {

/// A file to be downloaded, and what is said of it alone.
struct ListedFile {
  std::string url;
  std::string folder;  // empty: that of all
  std::string name;    // empty: that of all, or the last part of the URL's path
  std::optional<Checksum> checksum{};

  bool operator==(const ListedFile&) const = default;
};

/// Reads a list: an address in each line. As in the lists of aria2, lines that begin with a blank are about the address
/// before them: `out=NAME`, `dir=FOLDER`, `checksum=TYPE=DIGITS`. Lines that begin with # are left out.
/// Throws std::invalid_argument that names the line.
std::vector<ListedFile> read_list(std::istream& lines, const std::string& name);

}  // namespace tributary
