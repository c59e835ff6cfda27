#pragma once

#include <string>
#include <vector>

#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"

namespace tributary::transport {

/// The name of a host has no address, or no resolver answered.
class LookupError : public UrlError {
 public:
  LookupError(bool worth_repeating, const std::string& text) : UrlError{text}, temporary{worth_repeating} {}
  bool temporary;  // no resolver answered; a later lookup may succeed
};

/// The addresses of the origin's host, as text ("192.0.2.1", "2001:db8::1"), in the system's order of preference. Waits
/// for the resolver. To be called once for each origin: the resolver may ask over any link, and a reconnection must not
/// depend on that link. Throws LookupError.
std::vector<std::string> resolve(const Origin& origin);
/// The addresses that connections to the origin by these rules go to: those of a proxy that all links go through, which looks
/// the origin up itself, or its own.
std::vector<std::string> resolve(const Origin& origin, const LinkRules& rules);

}  // namespace tributary::transport
