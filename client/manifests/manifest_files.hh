#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "units/byte_range.hh"

namespace tributary {

/// A file that a manifest names, or bytes of it.
struct WantedFile {
  std::string url;                 // absolute
  std::optional<ByteRange> range;  // nothing: the whole file
};

struct FetchedFile {
  std::string url;  // where it was found, after redirects
  std::string bytes;
};

/// Fetches all of these, in any order, and returns them in the order asked. Throws std::runtime_error if one cannot be
/// had; its text names the file.
using FetchFiles = std::function<std::vector<FetchedFile>(std::span<const WantedFile>)>;

}  // namespace tributary
