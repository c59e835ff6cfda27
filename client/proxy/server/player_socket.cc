#include "proxy/server/player_socket.hh"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <atomic>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "proxy/server/peer_user.hh"

namespace tributary::proxy {

namespace asio = boost::asio;
using asio::redirect_error;
using asio::use_awaitable;
using boost::system::error_code;

namespace {

/// The system holds no more that the player's side has no room for: by that we see whether the player reads. Linux would hold
/// some megabytes, most of a segment.
constexpr int kMostUnsent = 65'536;

}  // namespace

PlayerSocket::PlayerSocket(asio::ip::tcp::socket socket, Duration unread)
    : news{socket.get_executor()},
      room{socket.get_executor()},
      socket_{std::move(socket)},
      write_guard_{socket_.get_executor()},
      unread_{unread} {
  error_code ignored;
  socket_.set_option(asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>{kMostUnsent}, ignored);
}

std::optional<uid_t> PlayerSocket::user() const {
  error_code gone;
  const auto peer = socket_.remote_endpoint(gone), own = gone ? peer : socket_.local_endpoint(gone);
  return gone ? std::nullopt : user_of_peer(peer, own);
}

asio::awaitable<std::size_t> PlayerSocket::read(std::span<char> to) {
  error_code error;
  const std::size_t count =
      co_await socket_.async_read_some(asio::buffer(to.data(), to.size()), redirect_error(use_awaitable, error));
  if (error == asio::error::eof) ended_ = true;  // whoever still reads is sent what is there
  if (error && !ended_) close();
  co_return count;
}

asio::awaitable<bool> PlayerSocket::send(std::string_view bytes, const std::function<void(bool)>& player_reads) {
  error_code error;
  // Most often the system takes all at once, and neither a timer nor a further wake-up is paid for.
  const std::size_t taken = socket_.write_some(asio::buffer(bytes), error);
  if (error == asio::error::would_block || (!error && taken < bytes.size())) {
    close_unless_written_by(Bell::Time::clock::now() + unread_);
    if (player_reads) player_reads(false);
    co_await asio::async_write(socket_, asio::buffer(bytes.substr(taken)), redirect_error(use_awaitable, error));
    write_guard_.cancel();
    if (player_reads) player_reads(true);
  }
  if (error) close();
  co_return !error;
}

void PlayerSocket::close() {
  ended_ = true;
  error_code ignored;
  socket_.close(ignored);
  news.ring();
  room.ring();
}

void PlayerSocket::reset() {
  error_code ignored;
  socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  close();
}

void PlayerSocket::shut_down() {
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

std::function<void()> PlayerSocket::ringer(const std::shared_ptr<ServerThread>& thread) {
  return [told = std::make_shared<std::atomic<bool>>(false), thread, socket = weak_from_this()] {
    if (told->exchange(true)) return;  // one call on its way is enough
    thread->post([told, socket] {
      told->store(false);
      if (const auto there = socket.lock()) there->news.ring();
    });
  };
}

void PlayerSocket::close_unless_written_by(Bell::Time time) {
  write_guard_.expires_at(time);
  write_guard_.async_wait([this, socket = weak_from_this()](error_code error) {
    const auto there = socket.lock();
    if (!error && there && Bell::Time::clock::now() >= write_guard_.expiry()) close();
  });
}

}  // namespace tributary::proxy
