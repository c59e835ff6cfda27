#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace tributary {

/// Links that the user named, and that must be there when a program begins.
struct NamedLinks {
  std::vector<std::string> usable;    // --link NAME: the program is limited to them
  std::vector<std::string> existing;  // --link NAME=COST alone: a wrong name would let another link cost something
};

/// Named links cannot be used. The text has each of them with its obstacle, and says what to do.
class NamedLinksUnusable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws NamedLinksUnusable unless all links are as they must be, towards an origin with these addresses.
void expect_links(const NamedLinks& named, const std::vector<std::string>& origin_addresses);
/// One line for the user: which links are left out because a VPN leads all traffic to these addresses. Empty: none is.
/// `only`: the links that the program is limited to, which are used in any case.
std::string beside_vpn(const std::vector<std::string>& only, const std::vector<std::string>& origin_addresses);
/// As long as no origin is known: a route is not asked for.
void expect_links(const NamedLinks& named);

}  // namespace tributary
