#pragma once

#include <string>
#include <vector>

#include "transport/connections/origin.hh"

namespace tributary::transport {

/// The name of a host has no address, or nobody could be asked for it.
class LookupError : public UrlError {
 public:
  LookupError(bool worth_repeating, const std::string& text) : UrlError{text}, temporary{worth_repeating} {}
  bool temporary;  // nobody could be asked; another time it may be known
};

/// The addresses of the origin's host, as text ("192.0.2.1", "2001:db8::1"), in the system's order of
/// preference. Waits for the resolver. Done once for each origin: the resolver asks over whichever link it
/// likes, and a reconnection must not depend on that link. Throws LookupError.
std::vector<std::string> resolve(const Origin& origin);

}  // namespace tributary::transport
