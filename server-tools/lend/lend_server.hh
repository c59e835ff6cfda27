#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <string>

#include "lend/lender.hh"
#include "lending/finding/announcement.hh"
#include "system/watched_file.hh"

namespace tributary::lending {

/// Listens for those in this machine's networks who borrow, until a descriptor is readable.
class LendServer {
 public:
  struct Options {
    Lender::Options lender;
    std::string address{};  // empty: all
    std::uint16_t port = kLendingPort;
    bool announces = true;
  };

  /// Throws std::runtime_error, or std::system_error if the port is taken.
  LendServer(Options options, Lender::Say log);
  ~LendServer();

  std::uint16_t port() const { return port_; }
  void run(int stop_fd);

 private:
  using File = boost::asio::posix::stream_descriptor;

  boost::asio::awaitable<void> accept(boost::asio::ip::tcp::acceptor& acceptor);
  void serve(boost::asio::ip::tcp::socket socket);
  boost::asio::awaitable<void> keep_time();
  boost::asio::awaitable<void> look();
  boost::asio::awaitable<void> watch(WatchedFile& file, std::function<void()> on_change);

  Options options_;
  boost::asio::io_context context_{1};
  boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
  std::shared_ptr<Lender> lender_;  // connections that are still open keep it, too
  std::vector<boost::asio::ip::tcp::acceptor> acceptors_;
  std::uint16_t port_ = 0;
  WatchedFile members_, code_;
  std::optional<Announcement> announcement_;
};

}  // namespace tributary::lending
