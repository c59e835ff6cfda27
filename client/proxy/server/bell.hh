#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace tributary::proxy {

/// Wakes one coroutine of the server's thread. A bell that nobody waits for stays rung until the next wait.
class Bell {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Bell(const boost::asio::any_io_executor& executor) : timer_{executor} {}

  void ring() {
    rung_ = true;
    timer_.cancel();
  }

  /// Until it rings, or this time has come. Who waits looks for itself what has happened.
  boost::asio::awaitable<void> wait(Time until = Time::max()) {
    if (!rung_) {
      timer_.expires_at(until);
      boost::system::error_code ignored;
      co_await timer_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
    }
    rung_ = false;
  }

 private:
  boost::asio::steady_timer timer_;
  bool rung_ = false;
};

}  // namespace tributary::proxy
