#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "units/session_clock.hh"

namespace tributary::transport {

class CurlHandle;

/// The one place where a session waits: for the connections of its transports, for other file descriptors
/// (the link monitor's), for a time. All of it, and all that uses it, in one thread; only wake_up() may come
/// from others. Must outlive the transports and fetches made on it.
class CurlLoop {
 public:
  CurlLoop();
  ~CurlLoop();

  struct ExtraFd {
    int fd = -1;
    bool ready = false;  // set by wait(): readable, or broken
  };
  /// Returns when something happened, or after the timeout, or after wake_up(); never before without a
  /// reason. The timeout is rounded up to milliseconds: who waits until a deadline does not wake before it.
  /// Afterwards all transports are to be advanced.
  void wait(std::optional<Duration> timeout, std::span<ExtraFd> extra = {});
  void wake_up();

  // For connections and fetches, not for the owner of the loop:

  class Listener {
   public:
    virtual ~Listener() = default;
    /// The handle has done what it was added for. `code` is a CURLcode.
    virtual void on_completed(int code) = 0;
  };
  /// The handle, which must stay added until it is removed, shares TLS sessions with all others.
  void add(CurlHandle& handle, Listener& listener);
  void remove(CurlHandle& handle);

  /// A connected socket to be waited for. Whoever has read it empty sets `readable` to false; before, it is
  /// not waited for: a socket that is left unread for a while must not wake us again and again.
  struct Socket {
    int fd = -1;
    bool readable = true;      // set by wait(), also when the connection is broken
    bool wants_write = false;  // set to false by wait() when it can be written
  };
  void watch(Socket& socket);
  void forget(Socket& socket);

 private:
  void perform();

  class Multi;
  std::unique_ptr<Multi> multi_;
  std::vector<Socket*> sockets_;
};

}  // namespace tributary::transport
