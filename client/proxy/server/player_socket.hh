#pragma once

#include <sys/types.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "proxy/server/bell.hh"
#include "proxy/server/server_thread.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// The socket of one connection: one coroutine reads and another one sends. For the server's thread.
class PlayerSocket : public std::enable_shared_from_this<PlayerSocket> {
 public:
  /// `unread`: a player that takes nothing for so long loses its connection.
  PlayerSocket(boost::asio::ip::tcp::socket socket, Duration unread);

  /// The number of bytes that have come; zero: no more will.
  boost::asio::awaitable<std::size_t> read(std::span<char> to);
  /// Returns when the system has taken all bytes. False if the connection has ended. `player_reads` is told false when the
  /// player has to read before the rest can be sent, and then true when it has; null: nobody is told.
  boost::asio::awaitable<bool> send(std::string_view bytes, const std::function<void(bool)>& player_reads = nullptr);
  /// The player has closed its side, or we have closed ours. A player that still reads may be sent the rest.
  bool ended() const { return ended_; }
  /// Of the player (peer_user.hh).
  std::optional<uid_t> user() const;

  void close();
  /// The player sees no end that could be taken for that of the body.
  void reset();
  /// All is sent.
  void shut_down();

  /// Rings the bell `news`; to be called from any thread, also when the socket is gone.
  std::function<void()> ringer(const std::shared_ptr<ServerThread>& thread);

  Bell news;  // for the sending coroutine: bytes, an answer, changes of a file, the end
  Bell room;  // for the reading coroutine: the bytes before have been looked at, or the end

 private:
  void close_unless_written_by(Bell::Time time);

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer write_guard_;
  const Duration unread_;
  bool ended_ = false;
};

}  // namespace tributary::proxy
