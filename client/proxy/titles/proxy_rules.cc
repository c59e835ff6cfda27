#include "proxy/titles/proxy_rules.hh"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

namespace tributary::proxy {

ProxyRules ProxyRules::without(const std::string& names) {
  ProxyRules rules;
  std::istringstream in{names};
  for (std::string name; std::getline(in, name, ',');) {
    if (name == "pacing")
      rules.pacing = false;
    else if (name == "cmsd")
      rules.cmsd = false;
    else if (name == "prefetch")
      rules.prefetch = false;
    else
      throw std::invalid_argument(
          fmt::format("without \"{}\": expected pacing, cmsd, prefetch, with commas between several", name));
  }
  return rules;
}

}  // namespace tributary::proxy
