#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "bonding/handshake/peer_address.hh"
#include "bonding/wire/bytes.hh"
#include "system/file_descriptor.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Sends and receives datagrams of IPv4 and IPv6, and never waits. Larger ones than the path takes are not divided: the
/// tunnel finds out what passes (bonding/probing/path_mtu.hh).
class UdpSocket {
 public:
  /// Datagrams leave by this link, whatever the routes of other programs are. Throws std::system_error.
  static UdpSocket over(const std::string& link);
  /// At all addresses of this machine if that is ::. Port 0: one that is free. Throws std::system_error.
  static UdpSocket listening_at(const bonding::PeerAddress& address);

  int file_descriptor() const { return fd_.get(); }
  std::uint16_t port() const;

  struct Datagram {
    bonding::PeerAddress peer;
    bonding::ByteSpan bytes;
    std::optional<TimePoint>
        came_at{};  // in the time of EventLoop::now(); nothing: the system does not tell, or not credibly
  };
  /// What the system does not take is lost, as on any path. Those to one peer keep their order.
  void send(std::span<const Datagram> datagrams);
  /// Calls `take` with each datagram that has come, but with a few hundred at most, so that others have their turn.
  void receive(const std::function<void(const Datagram& datagram)>& take);

 private:
  UdpSocket();
  int family() const;

  /// Makes a message of the first of them, and returns how many they are.
  std::size_t fill(std::span<const Datagram> datagrams, std::size_t message);
  struct Buffers;
  struct Delete {
    void operator()(Buffers* buffers) const;
  };

  FileDescriptor fd_;
  bool ipv6_ = true;     // else the system has none
  bool divides_ = true;  // the system takes runs of datagrams (UDP GSO)
  std::unique_ptr<Buffers, Delete> buffers_;
};

}  // namespace tributary
