#pragma once

#include <optional>
#include <string>

#include "units/data_size.hh"
#include "units/round_trip.hh"

namespace tributary::transport {

/// Lets the kernel find an idle connection dead in 4 s, and know after a second whether the other end of a silent one
/// lives. ProgressTimer, which is faster, watches owed bytes. Failures are ignored.
void enable_liveness_checks(int socket);

/// Checks that no byte of the socket can go over another link. Nothing if all is well, otherwise the defect: the socket
/// is not bound to the interface (libcurl falls back to the source address silently), or it is Multipath TCP. If `link`
/// is empty, the binding is not checked.
std::optional<std::string> binding_defect(int socket, const std::string& link);

/// 0 if it has none.
int local_port(int socket);
/// The kernel's smoothed round trip.
std::optional<RoundTrip> round_trip(int socket);
/// The round trip of now for somebody who sends nothing, as far as the kernel knows it: with the queue that fills while
/// the other end sends.
std::optional<Duration> round_trip_of_receiver(int socket);
/// The other end may send this much more than has come, or what it was allowed before. Nothing is withdrawn, so a limit
/// above what is under way costs no speed.
void accept_at_most(int socket, DataSize size);
/// Time since the kernel last received data.
std::optional<Duration> silence(int socket);
/// Time since the kernel last received any packet, be it an acknowledgement.
std::optional<Duration> silence_of_peer(int socket);

}  // namespace tributary::transport
