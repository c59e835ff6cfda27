#include "dash/base_url.hh"

#include <algorithm>

#include "dash/bounds.hh"

namespace tributary::dash {

std::vector<std::string> addresses_of(const std::string& document, std::span<const BaseUrls* const> levels,
                                      const std::string& uri, const Resolve& resolve) {
  std::vector<std::string> bases{document};
  for (const BaseUrls* const level : levels) {
    if (level->empty()) continue;
    std::vector<std::string> resolved;
    for (const std::string& base : bases) {
      for (const BaseUrl& own : *level) {
        if (resolved.size() < kMostAlternatives) resolved.push_back(own.url.empty() ? base : resolve(base, own.url));
      }
    }
    bases = std::move(resolved);
  }
  std::vector<std::string> addresses;
  for (const std::string& base : bases) {
    std::string address = uri.empty() ? base : resolve(base, uri);
    if (std::ranges::find(addresses, address) == addresses.end()) addresses.push_back(std::move(address));
  }
  return addresses;
}

}  // namespace tributary::dash
