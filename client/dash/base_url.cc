#include "dash/base_url.hh"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "dash/bounds.hh"

namespace tributary::dash {

std::vector<std::string> addresses_of(const std::string& document, std::span<const BaseUrls* const> levels,
                                      const std::string& uri, const Resolve& resolve) {
  std::exception_ptr why;
  const auto resolved_or_nothing = [&](const std::string& base, const std::string& one) -> std::optional<std::string> {
    try {
      return one.empty() ? base : resolve(base, one);
    } catch (const std::exception&) {
      why = std::current_exception();
      return std::nullopt;
    }
  };
  std::vector<std::string> bases{document};
  for (const BaseUrls* const level : levels) {
    if (level->empty()) continue;
    std::vector<std::string> resolved;
    for (const std::string& base : bases) {
      for (const BaseUrl& own : *level) {
        auto one = resolved.size() < kMostAlternatives ? resolved_or_nothing(base, own.url) : std::nullopt;
        if (one) resolved.push_back(*std::move(one));
      }
    }
    bases = std::move(resolved);
  }
  std::vector<std::string> addresses;
  for (const std::string& base : bases) {
    auto address = resolved_or_nothing(base, uri);
    if (address && std::ranges::find(addresses, *address) == addresses.end()) addresses.push_back(*std::move(address));
  }
  if (addresses.empty()) std::rethrow_exception(why);
  return addresses;
}

}  // namespace tributary::dash
