#pragma once

#include <string>
#include <vector>

#include "proxy/proxy.hh"

namespace tributary {

/// What each link carried, for people: a line for each. Empty if nothing came.
std::string to_text(const std::vector<proxy::Proxy::Carried>& carried);
/// The same as an object in one line.
std::string to_json(const std::vector<proxy::Proxy::Carried>& carried);

}  // namespace tributary
