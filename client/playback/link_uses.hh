#pragma once

#include <map>
#include <string>

#include "core/link_use.hh"

namespace tributary {

/// What the user wants of links, also of those that are not there yet.
class LinkUses {
 public:
  void set(const std::string& link, LinkUse use) { uses_[link] = use; }
  LinkUse of(const std::string& link) const {
    const auto found = uses_.find(link);
    return found == uses_.end() ? LinkUse::kUse : found->second;
  }

 private:
  std::map<std::string, LinkUse> uses_;
};

}  // namespace tributary
