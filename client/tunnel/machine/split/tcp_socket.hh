#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "bonding/handshake/peer_address.hh"
#include "bonding/wire/bytes.hh"
#include "system/file_descriptor.hh"
#include "system/tcp_connection.hh"

namespace tributary {

/// A socket of TCP that never waits.
class TcpSocket {
 public:
  struct Way {
    std::string link{};      // over this one, whatever the routes are; empty: as they are
    std::uint32_t mark = 0;  // for rules of nftables
  };
  /// Begins to connect. An error may be told at once, by nothing, or by the first call of write().
  static std::optional<TcpSocket> connecting_to(const bonding::PeerAddress& to, const Way& way);
  /// At all addresses if that is ::. Port 0: one that is free. Throws std::system_error.
  static TcpSocket listening_at(const bonding::PeerAddress& address);

  /// The next connection; nothing: none waits.
  std::optional<TcpSocket> accept() const;

  int file_descriptor() const { return fd_.get(); }
  std::uint16_t port() const { return connection().local_port(); }
  TcpConnection connection() const { return TcpConnection{fd_.get()}; }
  /// To where the connection was made, before a rule of nftables led it here; nothing: none did.
  std::optional<bonding::PeerAddress> original_destination() const;

  enum class State { kOpen, kEnded, kBroken };
  struct Read {
    bonding::ByteSpan bytes;  // none: there are no more now
    State state = State::kOpen;
  };
  Read read(std::span<std::byte> into) const;
  /// How many bytes the system takes; nothing: the connection is broken. Before it is made, none.
  std::optional<std::size_t> write(bonding::ByteSpan bytes) const;
  /// The peer, or the network, has broken the connection off.
  bool has_failed() const;
  /// Nothing more is written.
  void end_writing() const;
  /// When it is closed, the peer is told that it was broken off.
  void will_break_off() const;

 private:
  explicit TcpSocket(FileDescriptor fd) : fd_{std::move(fd)} {}
  FileDescriptor fd_;
};

}  // namespace tributary
