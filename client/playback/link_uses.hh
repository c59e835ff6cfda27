#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/links/link_use.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// What the user wants of links, also of those that are not there yet.
class LinkUses {
 public:
  /// `otherwise`: of links of which he said nothing.
  explicit LinkUses(UseOfLink otherwise = use_any_link) : otherwise_{std::move(otherwise)} {}

  void set(const std::string& link, LinkUse use) { uses_[link] = use; }
  LinkUse of(const std::string& link) const {
    const auto found = uses_.find(link);
    return found == uses_.end() ? otherwise_(link) : found->second;
  }

 private:
  UseOfLink otherwise_;
  std::map<std::string, LinkUse> uses_;
};

}  // namespace tributary
