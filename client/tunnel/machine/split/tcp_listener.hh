#pragma once

#include <functional>

#include "system/event_loop.hh"
#include "tunnel/machine/split/tcp_socket.hh"

namespace tributary {

/// Takes connections at a port. While the process may open no more files, it takes none, and tries again a tenth of a
/// second later: those that wait would wake the loop all the time.
class TcpListener {
 public:
  /// The loop must outlive it. Throws std::system_error if the port is taken.
  TcpListener(const bonding::PeerAddress& address, EventLoop& loop,
              std::function<void(TcpSocket socket, TimePoint now)> take);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  std::uint16_t port() const { return socket_.port(); }
  /// When it is to be called again; nothing: at no time.
  std::optional<TimePoint> work(TimePoint now);

 private:
  void accept(TimePoint now);

  EventLoop& loop_;
  TcpSocket socket_;
  std::function<void(TcpSocket socket, TimePoint now)> take_;
  std::optional<TimePoint> rests_until_;
};

}  // namespace tributary
