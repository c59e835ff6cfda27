#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "units/session_clock.hh"

namespace tributary::transport {

class CurlHandle;

/// The one place where a session waits: for the connections of its transports, for other file descriptors (the link
/// monitor's), for a time. The loop and its users live in one thread; only wake_up() may be called from others. The
/// loop must outlive the transports and fetches that use it.
class CurlLoop {
 public:
  CurlLoop();
  ~CurlLoop();

  struct ExtraFd {
    int fd = -1;
    bool ready = false;  // wait() sets it: readable, or broken
  };
  /// Returns when a descriptor is ready, after the timeout, or after wake_up(), and never for nothing. Rounds the
  /// timeout up to milliseconds, so that it does not end before a deadline. All transports must be advanced afterwards.
  void wait(std::optional<Duration> timeout, std::span<ExtraFd> extra = {});
  void wake_up();

  // For connections and fetches, not for the owner of the loop.

  class Listener {
   public:
    virtual ~Listener() = default;
    /// The transfer of the handle has ended. `code` is a CURLcode.
    virtual void on_completed(int code) = 0;
  };
  /// Runs the handle's transfer. The handle must live until remove(). Handles that keep no connections
  /// (KeptConnections) share TLS sessions.
  void add(CurlHandle& handle, Listener& listener);
  void remove(CurlHandle& handle);

  /// A connected socket to wait for. Its reader sets `readable` to false after reading it empty. Until then the loop
  /// does not wait for it, so that an unread socket does not wake it again and again.
  struct Socket {
    int fd = -1;
    bool readable = true;      // wait() sets it, also if the connection is broken
    bool wants_write = false;  // wait() sets it to false once the socket can be written
  };
  void watch(Socket& socket);
  void forget(Socket& socket);

 private:
  void perform();

  class Multi;
  std::unique_ptr<Multi> multi_;
  std::vector<Socket*> sockets_;
  std::map<void*, CurlHandle*> handles_;  // whose transfers run, by libcurl's
};

}  // namespace tributary::transport
