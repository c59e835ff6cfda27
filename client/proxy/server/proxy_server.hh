#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "proxy/requests/exchange.hh"
#include "proxy/requests/server_options.hh"

namespace tributary::proxy {

/// A server of HTTP/1.1 for the players of this machine. Listens on 127.0.0.1 and, where there is IPv6, on ::1; lets in
/// programs of its own user that know its token (access.hh), and asks the handler for the answers.
class ProxyServer {
 public:
  /// Listens from now on. The handler must outlive it. Throws std::system_error if the port is taken on either address:
  /// "localhost" would lead to another program.
  ProxyServer(ServerOptions options, RequestHandler& handler);
  ~ProxyServer();

  std::uint16_t port() const;
  /// "http://127.0.0.1:PORT/TOKEN": a target begins behind it.
  std::string address() const;

  /// Serves until stop(). What the handler throws ends it. To be called once.
  void run();
  /// Ends all connections and then run(), also one that has not begun. From any thread, and from a signal handler.
  void stop();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace tributary::proxy
