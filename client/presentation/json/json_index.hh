#pragma once

#include <string>
#include <string_view>

#include "presentation/json/json_error.hh"
#include "presentation/presentation.hh"

namespace tributary {

inline constexpr std::string_view kIndexFormat = "tributary-index";
inline constexpr int kIndexVersion = 1;

/// An error in an index, with its place: "tracks[2].bytes[17]: -5 is not a size".
using IndexError = JsonError;

/// Reads index.json (docs/index-format.md; format "tributary-index", version 1). Strict: an unknown format or
/// version, a missing field, an impossible value, or tracks of one group that do not agree throw IndexError
/// with the place named. Unknown fields are passed over.
Presentation read_index(std::string_view json);

/// The same presentation as text; read_index gives it back, rates rounded to whole bit/s. `created` and
/// `updated` are RFC 3339 in UTC, and left out when empty.
std::string write_index(const Presentation& presentation, std::string_view created, std::string_view updated);

}  // namespace tributary
