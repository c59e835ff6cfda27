#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/links/link_use.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// The user's choice how to use each link, including links that are not there yet.
class LinkUses {
 public:
  /// `otherwise`: for links without a choice of the user.
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
