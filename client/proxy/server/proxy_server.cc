#include "proxy/server/proxy_server.hh"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <exception>
#include <list>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "proxy/server/connection.hh"

namespace tributary::proxy {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

using namespace std::chrono_literals;

constexpr int kTries = 20;                   // to find a port that is free on both addresses
constexpr auto kWithoutDescriptors = 100ms;  // until the next try to accept
// What the kernel takes ahead of the player: bytes there count as sent, and are lost work when the player leaves.
constexpr int kSendBuffer = 262'144;
constexpr std::string_view kFull = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

void rethrow(const std::exception_ptr& exception) {
  if (exception) std::rethrow_exception(exception);
}

tcp::acceptor listen_on(asio::io_context& context, const tcp::endpoint& endpoint, error_code& error) {
  tcp::acceptor acceptor{context};
  acceptor.open(endpoint.protocol(), error);
  if (error) return acceptor;
  acceptor.set_option(tcp::acceptor::reuse_address{true}, error);
  if (endpoint.protocol() == tcp::v6()) acceptor.set_option(asio::ip::v6_only{true}, error);
  acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  return acceptor;
}

bool has_no_ipv6(const error_code& error) {
  return error == asio::error::address_family_not_supported || error == boost::system::errc::address_not_available;
}

std::system_error cannot_listen(const std::string& where, const error_code& error) {
  return std::system_error{error.value(), std::system_category(), "listen on " + where};
}

std::vector<tcp::acceptor> listen(asio::io_context& context, std::uint16_t port) {
  for (int tries = kTries;; --tries) {
    error_code error;
    std::vector<tcp::acceptor> acceptors;
    acceptors.push_back(listen_on(context, {asio::ip::address_v4::loopback(), port}, error));
    if (error) throw cannot_listen("127.0.0.1:" + std::to_string(port), error);
    const std::uint16_t chosen = acceptors.front().local_endpoint().port();
    acceptors.push_back(listen_on(context, {asio::ip::address_v6::loopback(), chosen}, error));
    if (!error) return acceptors;
    acceptors.pop_back();
    if (has_no_ipv6(error)) return acceptors;
    if (port != 0 || tries == 0) throw cannot_listen("[::1]:" + std::to_string(chosen), error);
  }
}

}  // namespace

/// All that belongs to the server's thread.
class ProxyServer::Loop {
 public:
  Loop(ServerOptions options, RequestHandler& handler)
      : acceptors_{listen(context_, options.port)},
        stop_{context_, ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)},
        parts_{.handler = handler,
               .rules = {.token = std::move(options.token),
                         .port = acceptors_.front().local_endpoint().port(),
                         .page_origins = std::move(options.page_origins),
                         .any_user = options.any_user},
               .limits = options.limits,
               .thread = std::make_shared<ServerThread>(context_)} {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() { parts_.thread->end(); }

  void run() {
    for (tcp::acceptor& acceptor : acceptors_) asio::co_spawn(context_, accept(acceptor), rethrow);
    stop_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code) { end(); });
    context_.run();
  }
  void stop() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(stop_.native_handle(), &one, sizeof one);
  }
  const AccessRules& rules() const { return parts_.rules; }

 private:
  asio::awaitable<void> accept(tcp::acceptor& acceptor) {
    while (acceptor.is_open()) {
      error_code error;
      tcp::socket socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (!acceptor.is_open()) break;
      if (!error) {
        serve(std::move(socket));
      } else {
        asio::steady_timer later{context_, kWithoutDescriptors};
        co_await later.async_wait(asio::redirect_error(asio::use_awaitable, error));
      }
    }
  }

  void serve(tcp::socket socket) {
    error_code ignored;
    socket.non_blocking(true, ignored);
    if (connections_.size() >= parts_.limits.connections && !drop_a_stranger()) {
      socket.write_some(asio::buffer(kFull), ignored);
      return;
    }
    socket.set_option(tcp::no_delay{true}, ignored);
    socket.set_option(tcp::socket::send_buffer_size{kSendBuffer}, ignored);
    const auto connection = std::make_shared<Connection>(std::move(socket), parts_);
    connections_.push_back(connection);
    asio::co_spawn(context_, connection->read(), rethrow);
    asio::co_spawn(context_, connection->answer(), [this, connection](const std::exception_ptr& exception) {
      connections_.remove(connection);
      rethrow(exception);
    });
  }

  /// Ends the oldest connection that is not let in, so that other users of this machine cannot take all places.
  /// False if there is none.
  bool drop_a_stranger() {
    const auto oldest = std::ranges::find_if(connections_, [](const auto& known) { return !known->is_let_in(); });
    if (oldest == connections_.end()) return false;
    (*oldest)->close();
    connections_.erase(oldest);
    return true;
  }

  void end() {
    error_code ignored;
    for (tcp::acceptor& acceptor : acceptors_) acceptor.close(ignored);
    for (const auto& connection : connections_) connection->close();
  }

  asio::io_context context_{1};  // one thread runs it
  std::vector<tcp::acceptor> acceptors_;
  asio::posix::stream_descriptor stop_;
  ServerParts parts_;
  std::list<std::shared_ptr<Connection>> connections_;  // oldest first
};

ProxyServer::ProxyServer(ServerOptions options, RequestHandler& handler)
    : loop_{std::make_unique<Loop>(std::move(options), handler)} {}

ProxyServer::~ProxyServer() = default;

std::uint16_t ProxyServer::port() const { return loop_->rules().port; }

std::string ProxyServer::address() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/" + loop_->rules().token;
}

void ProxyServer::run() { loop_->run(); }

void ProxyServer::stop() { loop_->stop(); }

}  // namespace tributary::proxy
