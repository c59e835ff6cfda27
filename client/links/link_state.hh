#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "links/link_monitor.hh"

namespace tributary {

/// What matters of one interface at one moment. Only the families of the origin's addresses are looked at.
struct LinkState {
  struct Family {
    std::set<std::string> addresses;  // that can be a source towards the origin
    bool has_route = false;
    std::string gateway;       // of the route with the least metric; empty if there is none on the way
    std::uint32_t metric = 0;  // of that route

    bool usable() const { return has_route && !addresses.empty(); }
    bool operator==(const Family&) const = default;
  };

  std::string name;
  unsigned interface_index = 0;
  std::string kind;
  bool up = false;
  bool carrier = false;
  Family ipv4, ipv6;

  LinkInfo info() const;
  /// Why the origin cannot be reached: the first of "interface down", "no carrier", "no address", "no route
  /// to the origin" that holds. Nothing if the link is usable.
  std::optional<std::string_view> obstacle() const;
};

using LinkStates = std::map<std::string, LinkState>;  // by name

/// What has to be told after the interfaces have changed. A link that stays usable is told as lost and back
/// if its connections cannot have survived: another device of the same name, or none of its addresses left.
std::vector<LinkChangeNotice> changes_between(const LinkStates& before, const LinkStates& after);

}  // namespace tributary
