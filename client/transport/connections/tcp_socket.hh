#pragma once

#include <optional>
#include <string>

#include "units/round_trip.hh"

namespace tributary::transport {

/// Lets the kernel find an idle connection dead in 4 s, and know after a second whether the other end of a silent one lives. What is owed is watched by ProgressTimer, which is faster. Failures are
/// ignored.
void enable_liveness_checks(int socket);

/// What proves that nothing of the socket goes over another link. Nothing when all is well; otherwise why
/// not: not bound to the interface (libcurl falls back to the source address silently), or Multipath TCP.
/// With an empty link the binding is not looked at.
std::optional<std::string> binding_defect(int socket, const std::string& link);

/// The kernel's smoothed round trip.
std::optional<RoundTrip> round_trip(int socket);
/// Since the kernel received data last.
std::optional<Duration> silence(int socket);
/// Since it received anything last, be it an acknowledgement.
std::optional<Duration> silence_of_peer(int socket);

}  // namespace tributary::transport
