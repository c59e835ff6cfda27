#pragma once

#include <string>

#include "presentation/presentation.hh"

namespace tributary {

/// What an index.json says; `where` names it in errors. Throws std::runtime_error.
Presentation index_from(const std::string& text, const std::string& where);
/// The same of a file.
Presentation read_local_index(const std::string& path);

}  // namespace tributary
