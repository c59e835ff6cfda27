#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/event.hh"
#include "core/links/link_use.hh"
#include "core/session.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// The user's choice how to use each link, including links that are not there yet.
class LinkUses {
 public:
  /// `otherwise`: for links without a choice of the user.
  explicit LinkUses(UseOfLink otherwise = use_any_link) : otherwise_{std::move(otherwise)} {}

  void set(const std::string& link, LinkUse use) { uses_[link] = use; }
  /// The same while a session runs, which has to be told. Nothing if the link is not there: its use is told when it comes
  /// up.
  std::optional<event::LinkUseChanged> change(const std::string& link, LinkUse use, const Session& session);
  LinkUse of(const std::string& link) const {
    const auto found = uses_.find(link);
    return found == uses_.end() ? otherwise_(link) : found->second;
  }

 private:
  UseOfLink otherwise_;
  std::map<std::string, LinkUse> uses_;
};

}  // namespace tributary
