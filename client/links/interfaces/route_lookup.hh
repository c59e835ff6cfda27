#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tributary {

/// The entry of the routing tables that leads to an address.
struct Route {
  enum class Kind { kToOthers, kHere, kNowhere };  // here: of this machine, or of a group that it may be in
  Kind kind = Kind::kNowhere;
  bool has_router = false;
  int prefix_length = 0;
  int device = 0;  // the index of its interface; 0: it has several, or none
};

/// As the kernel chooses, with all its tables and rules. `address`: its bytes, 4 or 16. `device`: the index of the
/// interface through which packets are to go; 0: any. Nothing: no route leads there, or the kernel does not tell.
std::optional<Route> route_to(std::span<const std::byte> address, int device = 0);

}  // namespace tributary
