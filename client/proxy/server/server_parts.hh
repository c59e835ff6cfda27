#pragma once

#include <memory>

#include "proxy/requests/access.hh"
#include "proxy/requests/exchange.hh"
#include "proxy/requests/server_options.hh"
#include "proxy/server/server_thread.hh"

namespace tributary::proxy {

/// What all connections of a server share. Outlives them.
struct ServerParts {
  RequestHandler& handler;
  AccessRules rules;
  ServerLimits limits;
  std::shared_ptr<ServerThread> thread;
};

}  // namespace tributary::proxy
