#pragma once

#include <string>

#include "presentation/presentation.hh"

namespace tributary {

/// Reads the text of an index.json; `where` names the file in errors. Throws std::runtime_error.
Presentation index_from(const std::string& text, const std::string& where);
/// Reads an index.json from a file. Throws std::runtime_error.
Presentation read_local_index(const std::string& path);

}  // namespace tributary
