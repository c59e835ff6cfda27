#pragma once

#include <sys/types.h>

#include <boost/asio/ip/tcp.hpp>
#include <optional>

namespace tributary::proxy {

/// The user whose program has the other end of a connection within this machine, as the system lists it (/proc/net/tcp).
/// Nothing: that end is closed by now, or is not on this machine.
std::optional<uid_t> user_of_peer(const boost::asio::ip::tcp::endpoint& peer,
                                  const boost::asio::ip::tcp::endpoint& own);

}  // namespace tributary::proxy
