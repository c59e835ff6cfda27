#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proxy/requests/access_token.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// What one connection, and all of them, may take.
struct ServerLimits {
  /// At most so many. A further one takes the place of the oldest that is not let in, or is told 503.
  std::size_t connections = 512;
  Duration head = std::chrono::seconds{10};          // from the first byte of a request to its last
  Duration idle = std::chrono::seconds{60};          // between requests
  Duration unread = std::chrono::minutes{10};        // a player that pauses does not read
  Duration heartbeat = std::chrono::seconds{15};     // of event streams: a page that has gone is noticed
  std::size_t unread_events = std::size_t{1} << 20;  // bytes: a page that reads less loses its connection
};

struct ServerOptions {
  std::uint16_t port = 0;  // 0: the system chooses
  std::string token = new_access_token();
  std::vector<std::string> page_origins;  // pages of others that may use the proxy (access.hh)
  bool any_user = false;                  // players may be of other users of this machine
  ServerLimits limits;
};

}  // namespace tributary::proxy
