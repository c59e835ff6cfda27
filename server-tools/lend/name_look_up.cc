#include "lend/name_look_up.hh"

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "transport/connections/address_lookup.hh"
#include "transport/connections/origin_addresses.hh"

namespace tributary::lending {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Addresses = std::vector<asio::ip::address>;

/// One look-up, which goes on when nobody waits for it any more.
struct LookUp {
  LookUp(const asio::any_io_executor& executor, const std::string& host, Turns::Turn mine)
      : turn{std::move(mine)},
        found{{.scheme = "https", .host = host, .port = 0}, {}},
        answered{executor, ::dup(found.file_descriptor())},
        patience{executor} {}

  Turns::Turn turn;
  transport::AddressLookup found;
  asio::posix::stream_descriptor answered;
  asio::steady_timer patience;
};

asio::awaitable<void> finish(std::shared_ptr<LookUp> look_up) {
  error_code ignored;
  co_await look_up->answered.async_wait(asio::posix::stream_descriptor::wait_read,
                                        asio::redirect_error(asio::use_awaitable, ignored));
  look_up->turn.reset();
  look_up->patience.cancel();
}

Addresses result_of(const LookUp& look_up) {
  Addresses addresses;
  try {
    const auto found = look_up.found.result();
    if (!found) return addresses;
    for (const std::string& text : *found) {
      error_code no_address;
      const auto address = asio::ip::make_address(text, no_address);
      if (!no_address) addresses.push_back(address);
    }
  } catch (const transport::LookupError&) {  // there are none
  }
  return addresses;
}

}  // namespace

asio::awaitable<Addresses> addresses_of(asio::any_io_executor executor, std::string host, Turns& turns,
                                        Duration at_most) {
  const auto until = std::chrono::steady_clock::now() + at_most;
  Turns::Turn turn = co_await turns.begin(at_most);
  if (!turn) co_return Addresses{};
  const auto look_up = std::make_shared<LookUp>(executor, host, std::move(turn));
  look_up->patience.expires_at(until);
  asio::co_spawn(executor, finish(look_up), asio::detached);
  error_code ignored;
  co_await look_up->patience.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  co_return result_of(*look_up);
}

}  // namespace tributary::lending
