#pragma once

#include <string>

namespace tributary {

/// The name by which links are known, of the interface that has this name as its own or as an alternative one
/// (`ip link property add altname`). The same name if there is no such interface.
std::string link_name(const std::string& given);

}  // namespace tributary
