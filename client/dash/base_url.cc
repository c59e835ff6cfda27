#include "dash/base_url.hh"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "dash/bounds.hh"

namespace tributary::dash {
namespace {

/// Resolves some addresses, of which at least one must be one.
class Resolving {
 public:
  explicit Resolving(const Resolve& resolve) : resolve_{resolve} {}

  std::optional<std::string> operator()(const std::string& base, const std::string& uri) {
    try {
      return uri.empty() ? base : resolve_(base, uri);
    } catch (const std::exception&) {
      why_ = std::current_exception();
      return std::nullopt;
    }
  }
  [[noreturn]] void fail() const { std::rethrow_exception(why_); }

 private:
  const Resolve& resolve_;
  std::exception_ptr why_;
};

}  // namespace

std::vector<std::string> bases_of(const std::string& document, std::span<const BaseUrls* const> levels,
                                  const Resolve& resolve) {
  Resolving resolved{resolve};
  std::vector<std::string> bases{document};
  for (const BaseUrls* const level : levels) {
    if (level->empty()) continue;
    std::vector<std::string> inner;
    for (const std::string& base : bases) {
      for (const BaseUrl& own : *level) {
        auto one = inner.size() < kMostAlternatives ? resolved(base, own.url) : std::nullopt;
        if (one) inner.push_back(*std::move(one));
      }
    }
    if (inner.empty()) resolved.fail();
    bases = std::move(inner);
  }
  return bases;
}

std::vector<std::string> addresses_of(std::span<const std::string> bases, const std::string& uri,
                                      const Resolve& resolve) {
  Resolving resolved{resolve};
  std::vector<std::string> addresses;
  for (const std::string& base : bases) {
    auto address = resolved(base, uri);
    if (address && std::ranges::find(addresses, *address) == addresses.end()) addresses.push_back(*std::move(address));
  }
  if (addresses.empty()) resolved.fail();
  return addresses;
}

std::string address_of(std::span<const std::string> bases, const std::string& uri, const Resolve& resolve) {
  Resolving resolved{resolve};
  for (const std::string& base : bases) {
    if (auto address = resolved(base, uri)) return *std::move(address);
  }
  resolved.fail();
}

}  // namespace tributary::dash
