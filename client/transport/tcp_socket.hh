#pragma once

#include <optional>
#include <string>

#include "units/round_trip.hh"

namespace tributary::transport {

/// Lets the kernel find a connection dead in 4 to 5 s, whether it sends or only receives; each of the two
/// options alone misses one of these. A backstop: our progress timers are faster. Failures are ignored.
void enable_liveness_checks(int socket);

/// What proves that nothing of the socket goes over another link. Nothing when all is well; otherwise why
/// not: not bound to the interface (libcurl falls back to the source address silently), or Multipath TCP.
/// With an empty link the binding is not looked at.
std::optional<std::string> binding_defect(int socket, const std::string& link);

/// The kernel's smoothed round trip.
std::optional<RoundTrip> round_trip(int socket);

}  // namespace tributary::transport
