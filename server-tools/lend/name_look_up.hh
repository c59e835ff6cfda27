#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <string>
#include <vector>

#include "lend/turns.hh"
#include "units/session_clock.hh"

namespace tributary::lending {

/// Looks up a name's addresses, in a thread of its own. None: there are none, or none came within this time. The turn ends
/// once the resolver has answered, be that later: nobody who asks for slow names has more threads than turns.
boost::asio::awaitable<std::vector<boost::asio::ip::address>> addresses_of(boost::asio::any_io_executor executor,
                                                                           std::string host, Turns& turns,
                                                                           Duration at_most);

}  // namespace tributary::lending
