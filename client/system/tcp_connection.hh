#pragma once

#include <optional>
#include <string>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/round_trip.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What the kernel knows of a connection of TCP, and is told of it. The socket is the caller's.
class TcpConnection {
 public:
  explicit TcpConnection(int socket) : socket_{socket} {}

  /// Lets the kernel find an idle connection dead in 4 s, and know after a second whether the other end of a silent one
  /// lives. ProgressTimer, which is faster, watches owed bytes. Failures are ignored.
  void enable_liveness_checks() const;
  /// The kernel ends the connection once nothing of what was sent has been acknowledged for this time: the other end has
  /// gone without a word.
  void give_up_after(Duration time) const;
  /// Small pieces are sent at once.
  void send_at_once() const;
  /// The system takes little more than it can send now, so that other connections can have the rest.
  void keep_little_unsent() const;
  /// The other end may send this much more than has come, or what it was allowed before. Nothing is withdrawn, so a limit
  /// above what is under way costs no speed.
  void accept_at_most(DataSize size) const;

  /// Checks that no byte of the socket can go over another link. Nothing if all is well, otherwise the defect: the socket
  /// is not bound to the interface (libcurl falls back to the source address silently), or it is Multipath TCP. If `link`
  /// is empty, the binding is not checked.
  std::optional<std::string> binding_defect(const std::string& link) const;
  /// 0 if it has none.
  std::uint16_t local_port() const;

  /// The kernel's smoothed round trip.
  std::optional<RoundTrip> round_trip() const;
  /// The round trip of now for somebody who sends nothing, as far as the kernel knows it: with the queue that fills while
  /// the other end sends.
  std::optional<Duration> round_trip_of_receiver() const;
  /// Packets have come out of order: an earlier one was lost, or overtaken.
  bool out_of_order() const;
  /// Time since the kernel last received data.
  std::optional<Duration> silence() const;
  /// Time since the kernel last received any packet, be it an acknowledgement.
  std::optional<Duration> silence_of_peer() const;
  /// Of what we send.
  struct Progress {
    std::optional<DataRate> rate;  // nothing before it has been measured
    /// For how long nothing of what is on its way was acknowledged; zero if nothing is on its way.
    Duration silent_for{};
    Duration round_trip{};
  };
  Progress progress() const;

 private:
  int socket_;
};

}  // namespace tributary
