#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>

#include "proxy/requests/asked_form.hh"
#include "proxy/server/player_socket.hh"
#include "proxy/server/server_parts.hh"

namespace tributary::proxy {

/// Sends one answer with an EventStream, which ends with the connection. All references must outlive the coroutine.
boost::asio::awaitable<void> send_events(PlayerSocket& socket, const ServerParts& parts, AskedForm& form,
                                         Answer answer);

}  // namespace tributary::proxy
