#include "lend/member_connection.hh"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <boost/asio/write.hpp>
#include <chrono>
#include <utility>

#include "lend/ip_of.hh"
#include "lend/lent_tunnel.hh"
#include "lending/identity/pairing_text.hh"
#include "proxy/requests/response_head.hh"
#include "system/event_loop.hh"
#include "system/tcp_connection.hh"
#include "units/text/quantity_text.hh"

namespace tributary::lending {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto kHandshake = 5s, kWrite = 10s;
constexpr auto kRequest = 30s, kRequestOfStranger = 5s;
constexpr auto kBetweenLooks = 250ms;
constexpr auto kBetweenLines = 1s;
constexpr auto kAfterWrongCode = 1s;
constexpr unsigned kTooMany = 429;        // RFC 6585
constexpr std::size_t kMostTunnels = 64;  // of one member
constexpr std::size_t kMostGateways = 16;

asio::awaitable<void> wait(TlsStream& stream, std::chrono::steady_clock::duration time) {
  asio::steady_timer timer{stream.get_executor(), time};
  error_code ignored;
  co_await timer.async_wait(into(ignored));
}

/// It sends nothing more.
bool has_gone(TlsStream& stream) {
  pollfd end{stream.next_layer().native_handle(), POLLRDHUP, 0};
  return ::poll(&end, 1, 0) != 0;
}

std::string head_of(unsigned status, const proxy::Fields& fields) { return proxy::response_head(status, fields); }

}  // namespace

std::set<std::string> gateways_in(const proxy::ReceivedRequest& request) {
  std::set<std::string> gateways;
  std::string text = proxy::field(request.fields, kGatewaysField).value_or("");
  for (std::size_t begin = 0; begin < text.size() && gateways.size() < kMostGateways;) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    gateways.insert(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return gateways;
}

MemberConnection::MemberConnection(tcp::socket socket, asio::ssl::context& context, std::shared_ptr<Lender> lender)
    : stream_{std::move(socket), context},
      lender_{std::move(lender)},
      place_{lender_->places().take(address().text(), [this] {
        error_code ignored;
        stream_.next_layer().close(ignored);
      })} {}

IpAddress MemberConnection::address() const {
  error_code gone;
  return ip_of(stream_.next_layer().remote_endpoint(gone).address());
}

std::string MemberConnection::who() const {
  const Peer* member = lender_->member(key_);
  return member == nullptr ? "a stranger at " + address().text() : member->name;
}

asio::awaitable<void> MemberConnection::serve() {
  const auto self = shared_from_this();
  bool goes_on = co_await shake_hands();
  while (goes_on) {
    const auto request = co_await next_request();
    if (!request) break;
    goes_on = co_await answer(*request);
  }
  error_code ignored;
  const Patience patience{stream_.next_layer(), kWrite};
  co_await stream_.async_shutdown(into(ignored));
}

asio::awaitable<bool> MemberConnection::shake_hands() {
  error_code error;
  const Patience patience{stream_.next_layer(), kHandshake};
  co_await stream_.async_handshake(asio::ssl::stream_base::server, into(error));
  if (error) co_return false;
  const std::unique_ptr<X509, decltype(&X509_free)> certificate{SSL_get1_peer_certificate(stream_.native_handle()),
                                                                &X509_free};
  if (!certificate) co_return false;
  key_ = key_of(*certificate);
  co_return lender_->member(key_) == nullptr || place_->is_of(key_);
}

/// Nothing: the connection has ended, or what came is no request.
asio::awaitable<std::optional<proxy::ReceivedRequest>> MemberConnection::next_request() {
  std::array<char, 4096> buffer;
  const bool is_member = lender_->member(key_) != nullptr;
  const Patience patience{stream_.next_layer(), is_member ? kRequest : kRequestOfStranger};
  error_code error;
  while (!error) {
    if (auto next = reader_.next()) {
      if (auto* request = std::get_if<proxy::ReceivedRequest>(&*next)) co_return std::move(*request);
      co_await send(std::get<proxy::Refusal>(*next).status, "");
      co_return std::nullopt;
    }
    const std::size_t count = co_await stream_.async_read_some(asio::buffer(buffer), into(error));
    reader_.put({buffer.data(), count});
  }
  co_return std::nullopt;
}

asio::awaitable<bool> MemberConnection::send(unsigned status, std::string text) {
  const proxy::Fields fields{{"Content-Length", std::to_string(text.size())}, {"Content-Type", "application/json"}};
  const std::string bytes = head_of(status, fields) + text;
  error_code error;
  const Patience patience{stream_.next_layer(), kWrite};
  co_await asio::async_write(stream_, asio::buffer(bytes), into(error));
  co_return !error && status < 400;
}

asio::awaitable<bool> MemberConnection::answer(const proxy::ReceivedRequest& request) {
  bool goes_on = false;
  if (request.method == "POST" && request.target == kPairPath) {
    goes_on = co_await begin_pairing(request.body);
  } else if (request.method == "POST" && request.target == kProofPath) {
    goes_on = co_await end_pairing(request.body);
  } else if (lender_->member(key_) == nullptr) {
    goes_on = co_await send(403, "");  // strangers learn nothing
  } else if (request.method == "CONNECT") {
    co_await lend(request.target);
  } else if (request.method == "GET" && request.target == kStatusPath) {
    co_await tell_status(request);
  } else {
    goes_on = co_await send(404, "");
  }
  co_return goes_on;
}

asio::awaitable<void> MemberConnection::tell_status(const proxy::ReceivedRequest& request) {
  const Turns::Turn turn = lender_->begin_to_watch(*lender_->member(key_));
  if (!turn) {
    co_await send(kTooMany, "");
    co_return;
  }
  TcpConnection{stream_.next_layer().native_handle()}.give_up_after(kWrite);
  const std::set<std::string> gateways = gateways_in(request);
  const IpAddress from = address();
  std::string bytes = head_of(200, {{"Content-Type", "application/x-ndjson"}, {"Connection", "close"}});
  std::optional<LenderStatus> told;
  auto told_at = std::chrono::steady_clock::now();
  error_code error;
  while (!error && !has_gone(stream_)) {
    const Peer* const member = lender_->member(key_);
    if (member == nullptr) break;
    LenderStatus status = lender_->status_for(*member, from, gateways);
    if (told && told->lends == status.lends && std::chrono::steady_clock::now() < told_at + kBetweenLines) {
      co_await wait(stream_, kBetweenLooks);
      continue;
    }
    bytes += status_line(status) + '\n';
    told = std::move(status);
    told_at = std::chrono::steady_clock::now();
    const Patience patience{stream_.next_layer(), kWrite};
    co_await asio::async_write(stream_, asio::buffer(bytes), into(error));
    bytes.clear();
  }
}

asio::awaitable<void> MemberConnection::lend(const std::string& target) {
  const Peer member = *lender_->member(key_);
  const auto begun = std::chrono::steady_clock::now();
  const auto share = lender_->share_for_use(member);
  std::string obstacle;
  if (reader_.has_begun()) obstacle = "bytes before the answer";
  if (obstacle.empty()) obstacle = lender_->surroundings().obstacle(address(), {});
  if (obstacle.empty() && share->connections() >= kMostTunnels) obstacle = "too many connections at once";
  if (obstacle.empty() && share->left_today() == DataSize{}) obstacle = "what is lent each day is used up";
  LentTunnel tunnel{stream_, *lender_, share};
  if (obstacle.empty()) obstacle = co_await tunnel.connect(target);
  if (!obstacle.empty()) {
    lender_->log()(fmt::format("{} does not get to {}: {}", member.name, target, obstacle));
    co_await send(obstacle == "the origin does not answer" ? 502 : 403, obstacle);
    co_return;
  }
  const std::string head = head_of(200, {});
  error_code error;
  co_await asio::async_write(stream_, asio::buffer(head), into(error));
  if (!error) co_await tunnel.carry();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  lender_->log()(
      fmt::format("{}: {} with {} in {:.1f} s", member.name, format_size(tunnel.carried()), target, took.count()));
}

asio::awaitable<bool> MemberConnection::refuse_for_now() {
  const auto until = lender_->desk().paused_until(EventLoop::now());
  std::string text;
  if (until) text = fmt::format(R"({{"pause_seconds":{:.0f}}})", to_seconds(*until - EventLoop::now()) + 1);
  const bool goes_on = co_await send(until ? kTooMany : 409, std::move(text));
  co_return goes_on;
}

asio::awaitable<bool> MemberConnection::begin_pairing(const std::string& body) {
  bool goes_on = false;
  const auto begin = read_pairing_begin(body);
  const auto code = lender_->desk().code(EventLoop::now());
  exchange_.reset();
  if (!begin) {
    goes_on = co_await send(400, "");
    co_return goes_on;
  }
  if (!code) {
    goes_on = co_await refuse_for_now();
    co_return goes_on;
  }
  exchange_.emplace(Exchange{*code, begin->name,
                             Pairing{Pairing::Side::kLender, *code, {key_, lender_->identity().key}, begin->session}});
  if (!exchange_->pairing.take_share(begin->share)) {
    exchange_.reset();
    goes_on = co_await send(400, "");
    co_return goes_on;
  }
  goes_on = co_await send(200, text_of(PairingAnswer{lender_->options().name, exchange_->pairing.share()}));
  co_return goes_on;
}

/// Each proof is a try. The lender's own is sent only to who knows the code.
asio::awaitable<bool> MemberConnection::end_pairing(const std::string& body) {
  bool goes_on = false;
  const auto proof = read_proof(body);
  if (!proof || !exchange_) {
    goes_on = co_await send(400, "");
    co_return goes_on;
  }
  const Exchange exchange = *std::exchange(exchange_, std::nullopt);
  if (!lender_->desk().try_begins(exchange.code, EventLoop::now())) {
    goes_on = co_await refuse_for_now();
    co_return goes_on;
  }
  if (exchange.pairing.is_proved_by(*proof)) {
    lender_->admit({.name = exchange.name, .key = key_});
    place_->is_of(key_);
    goes_on = co_await send(200, text_of(exchange.pairing.own_proof()));
    co_return goes_on;
  }
  lender_->log()(fmt::format("a wrong code from {}", who()));
  if (lender_->desk().paused_until(EventLoop::now())) lender_->close_desk();
  co_await wait(stream_, kAfterWrongCode);
  goes_on = co_await send(403, "");
  co_return goes_on;
}

}  // namespace tributary::lending
