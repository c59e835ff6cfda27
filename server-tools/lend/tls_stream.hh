#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>

namespace tributary::lending {

/// The encrypted connection of somebody who borrows, or wants to.
using TlsStream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

/// What is awaited puts its error there, and throws none.
inline auto into(boost::system::error_code& error) {
  return boost::asio::redirect_error(boost::asio::use_awaitable, error);
}

/// Closes a socket if an operation on it takes too long.
class Patience {
 public:
  template <typename Socket>
  Patience(Socket& socket, std::chrono::steady_clock::duration time)
      : timer_{socket.get_executor(), time}, over_{std::make_shared<bool>(false)} {
    timer_.async_wait([&socket, over = over_](boost::system::error_code stopped) {
      boost::system::error_code ignored;
      if (!stopped && !*over) socket.close(ignored);
    });
  }
  ~Patience() { *over_ = true; }
  Patience(const Patience&) = delete;

 private:
  boost::asio::steady_timer timer_;
  std::shared_ptr<bool> over_;
};

}  // namespace tributary::lending
