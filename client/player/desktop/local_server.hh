#pragma once

#include <libsoup/soup.h>

#include <deque>
#include <string>

#include "player/glib/g_handles.hh"

namespace tributary::play {

/// A web server for one folder of this computer, so that a presentation in it is played like any other. Only this
/// computer can reach it, only under its own name, and only with the address, which holds a secret. Its memory is
/// bounded for any requests. Lives in the default main context.
class LocalServer {
 public:
  /// Beyond this number, the oldest connection is closed.
  static constexpr std::size_t kMostConnections = 64;

  /// Throws std::runtime_error.
  explicit LocalServer(std::string folder);
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;
  ~LocalServer();

  /// The address of a file in the folder.
  std::string address(const std::string& name) const;
  const std::string& folder() const { return folder_; }

 private:
  void listen();
  void accept(GSocketConnection* connection);
  void answer(SoupServerMessage* message, const std::string& path) const;
  Ref<GSocket> socket_of(SoupServerMessage* message) const;
  bool was_asked_by_name(SoupServerMessage* message) const;

  std::string folder_, prefix_;  // "/9f86d081…/"
  int port_ = 0;
  Ref<SoupServer> server_;
  Ref<GSocketService> service_;
  std::deque<Ref<GSocket>> sockets_;  // of connections, oldest first
};

}  // namespace tributary::play
