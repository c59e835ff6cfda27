#pragma once

#include <optional>
#include <string>

#include "units/round_trip.hh"

namespace tributary::transport {

/// Lets the kernel find an idle connection dead in 4 s, and know after a second whether the other end of a silent one
/// lives. ProgressTimer, which is faster, watches owed bytes. Failures are ignored.
void enable_liveness_checks(int socket);

/// Checks that no byte of the socket can go over another link. Nothing if all is well, otherwise the defect: the socket
/// is not bound to the interface (libcurl falls back to the source address silently), or it is Multipath TCP. If `link`
/// is empty, the binding is not checked.
std::optional<std::string> binding_defect(int socket, const std::string& link);

/// The kernel's smoothed round trip.
std::optional<RoundTrip> round_trip(int socket);
/// Time since the kernel last received data.
std::optional<Duration> silence(int socket);
/// Time since the kernel last received any packet, be it an acknowledgement.
std::optional<Duration> silence_of_peer(int socket);

}  // namespace tributary::transport
