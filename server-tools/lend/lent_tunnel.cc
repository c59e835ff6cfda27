#include "lend/lent_tunnel.hh"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/write.hpp>

#include "lend/name_look_up.hh"
#include "system/tcp_connection.hh"
#include "units/text/host.hh"

namespace tributary::lending {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

constexpr std::size_t kBuffer = 16'384;
constexpr std::size_t kMostTried = 4;
constexpr auto kPatience = 10s;
constexpr auto kIdle = 10min;
constexpr auto kGoodbye = 2s;
// Beyond the round trip: what waits before the lent link's bottleneck for the members is never more than this.
constexpr Duration kMostQueue = 10ms;
constexpr DataSize kSegment{1'460};

}  // namespace

LentTunnel::LentTunnel(TlsStream& member, Lender& lender, std::shared_ptr<MemberShare> share)
    : member_{member},
      lender_{lender},
      share_{std::move(share)},
      origin_{member.get_executor()},
      halves_done_{member.get_executor(), asio::steady_timer::time_point::max()} {
  share_->add(*this);
}

LentTunnel::~LentTunnel() { share_->remove(*this); }

asio::awaitable<std::string> LentTunnel::connect(const std::string& target) {
  const auto split = split_host(target);
  const auto port = split && split->port ? port_number(*split->port) : std::nullopt;
  if (!port || split->host.empty()) co_return "not HOST:PORT";
  if (!lender_.options().reachable.has_port(*port)) co_return fmt::format("port {} is not lent", *port);
  const auto found =
      co_await addresses_of(member_.get_executor(), std::string{split->host}, share_->look_ups(), kPatience);
  if (found.empty()) co_return "there is no such host";
  std::string obstacle;
  std::size_t tried = 0;
  for (const asio::ip::address& each : found) {
    const tcp::endpoint address{each, *port};
    const auto& raw = *reinterpret_cast<const sockaddr*>(address.data());
    const std::string why = lender_.options().reachable.obstacle(raw, lender_.surroundings().here());
    if (!why.empty()) obstacle = why;
    if (!why.empty() || tried == kMostTried) continue;
    ++tried;
    const bool connected = co_await connect_to(address);
    if (connected) co_return "";
  }
  co_return tried == 0 ? obstacle : "the origin does not answer";
}

asio::awaitable<bool> LentTunnel::connect_to(const tcp::endpoint& address) {
  error_code error;
  origin_ = tcp::socket{member_.get_executor()};
  origin_.open(address.protocol(), error);
  if (error) co_return false;
  const std::string& link = lender_.surroundings().uplink();
  const int socket = origin_.native_handle();
  if (lender_.surroundings().is_named() &&
      ::setsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, link.c_str(), static_cast<socklen_t>(link.size())) != 0)
    co_return false;
  const auto begun = std::chrono::steady_clock::now();
  {
    const Patience patience{origin_, kPatience};
    co_await origin_.async_connect(address, into(error));
  }
  if (error) co_return false;
  round_trip_ = std::chrono::steady_clock::now() - begun;
  TcpConnection{socket}.enable_liveness_checks();
  TcpConnection{socket}.send_at_once();
  co_return true;
}

/// Whole segments, as no other are sent; two at least, as a single one is acknowledged late.
void LentTunnel::expect_at_most(DataRate rate) {
  const DataSize needed = rate * (round_trip_ + kMostQueue);
  const std::int64_t segments = (needed.bytes() + kSegment.bytes() - 1) / kSegment.bytes();
  window_ = std::max<std::int64_t>(segments, 2) * kSegment;
  bound_window();
}

/// The system lets a window grow with what is read, whatever bound it had before.
void LentTunnel::bound_window() {
  if (window_ > DataSize{} && origin_.is_open()) TcpConnection{origin_.native_handle()}.accept_at_most(window_);
}

void LentTunnel::end() {
  error_code ignored;
  origin_.close(ignored);
  member_.next_layer().close(ignored);
}

void LentTunnel::finish_half() {
  if (--halves_ == 0) halves_done_.cancel();
}

asio::awaitable<void> LentTunnel::carry() {
  halves_ = 2;
  asio::co_spawn(member_.get_executor(), send(), asio::detached);
  co_await bring();
  // Nothing more comes, and what the member still sends is for nobody.
  error_code ignored;
  origin_.close(ignored);
  {
    const Patience patience{member_.next_layer(), kGoodbye};
    co_await member_.async_shutdown(into(ignored));
  }
  end();
  while (halves_ > 0) co_await halves_done_.async_wait(into(ignored));
}

/// From the origin to the member. Nothing is read that the member may not have.
asio::awaitable<void> LentTunnel::bring() {
  std::array<char, kBuffer> buffer;
  error_code error;
  while (!error) {
    {
      const Patience patience{origin_, kIdle};
      co_await origin_.async_wait(tcp::socket::wait_read, into(error));
    }
    if (error) break;
    const std::size_t allowed = co_await share_->take(buffer.size());
    if (allowed == 0 || !origin_.is_open()) break;
    origin_.non_blocking(true, error);
    std::size_t count = origin_.read_some(asio::buffer(buffer.data(), allowed), error);
    if (error == asio::error::would_block) error.clear();
    bound_window();
    has_brought_ = has_brought_ || count > 0;
    share_->give_back(allowed - count);
    lender_.came(count);
    if (count == 0) continue;
    carried_ += DataSize{static_cast<std::int64_t>(count)};
    co_await asio::async_write(member_, asio::buffer(buffer.data(), count), into(error));
  }
  finish_half();
}

asio::awaitable<void> LentTunnel::send() {
  std::array<char, kBuffer> buffer;
  error_code error;
  while (!error) {
    const std::size_t count = co_await member_.async_read_some(asio::buffer(buffer), into(error));
    std::size_t sent = 0;
    while (!error && sent < count) {
      const std::size_t allowed = co_await share_->take(count - sent);
      if (allowed == 0) error = asio::error::no_permission;
      if (!error) co_await asio::async_write(origin_, asio::buffer(buffer.data() + sent, allowed), into(error));
      sent += allowed;
    }
    carried_ += DataSize{static_cast<std::int64_t>(sent)};
  }
  error_code ignored;
  if (error == asio::error::eof)
    origin_.shutdown(tcp::socket::shutdown_send, ignored);
  else
    origin_.close(ignored);
  finish_half();
}

}  // namespace tributary::lending
