#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/links/link_use.hh"

namespace tributary::proxy {

/// How the user wants links to be used, as chosen on the page. Thread-safe.
class LinkUses {
 public:
  void choose(const std::string& link, LinkUse use) {
    const std::lock_guard lock{mutex_};
    uses_[link] = use;
  }
  /// Nothing: the user did not choose.
  std::optional<LinkUse> of(const std::string& link) const {
    const std::lock_guard lock{mutex_};
    const auto chosen = uses_.find(link);
    return chosen != uses_.end() ? std::optional{chosen->second} : std::nullopt;
  }
  std::map<std::string, LinkUse> all() const {
    const std::lock_guard lock{mutex_};
    return uses_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, LinkUse> uses_;
};

}  // namespace tributary::proxy
