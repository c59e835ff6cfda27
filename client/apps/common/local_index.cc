#include "apps/common/local_index.hh"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "presentation/json_index.hh"

namespace tributary {

Presentation index_from(const std::string& text, const std::string& where) {
  try {
    return read_index(text);
  } catch (const IndexError& error) {
    throw std::runtime_error(fmt::format("{}: {}", where, error.what()));
  }
}

Presentation read_local_index(const std::string& path) {
  std::ifstream in{path};
  if (!in) throw std::runtime_error(fmt::format("cannot read {} (a simulation needs the index as a local file)", path));
  std::ostringstream text;
  text << in.rdbuf();
  return index_from(text.str(), path);
}

}  // namespace tributary
