#pragma once

#include <memory>

#include "proxy/server/access.hh"
#include "proxy/server/exchange.hh"
#include "proxy/server/server_options.hh"
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
