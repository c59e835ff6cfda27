#include "tunnel/split_client.hh"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "system/descriptor_limit.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

using bonding::PeerAddress;

constexpr Duration kTryAgain = std::chrono::seconds{1};

PeerAddress loopback_ipv4() {
  PeerAddress address;
  address.address[10] = address.address[11] = std::byte{0xff};
  address.address[12] = std::byte{127};
  address.address[15] = std::byte{1};
  return address;
}

PeerAddress loopback_ipv6() {
  PeerAddress address;
  address.address[15] = std::byte{1};
  return address;
}

}  // namespace

SplitClient::SplitClient(Options options, EventLoop& loop)
    : options_{std::move(options)}, shares_{raise_descriptor_limit()}, loop_{loop} {}

void SplitClient::look(const bonding::Connection* connection, std::span<const Link> links, TimePoint now) {
  const bool same = connection != nullptr && keys_ == connection->keys();
  if (!same) {
    rule_.reset();
    carrier_.reset();
    keys_.reset();
    tries_again_.clear();
    if (connection == nullptr) return;
    keys_ = connection->keys();
    carrier_.emplace(SplitCarrier::Options{.role = bonding::SplitRole::kClient,
                                           .rule = options_.rule,
                                           .connection = connection->id(),
                                           .keys = keys_,
                                           .carried = options_.carried},
                     loop_);
  }
  for (const Link& link : links) {
    if (!link.answers)
      carrier_->detach(link.path);
    else if (!carrier_->has(link.path))
      connect(link, now);
  }
  carrier_->look();
  if (!rule_ && std::ranges::any_of(links, [&](const Link& link) { return carrier_->answered(link.path); }))
    lead_here();
}

void SplitClient::connect(const Link& link, TimePoint now) {
  TimePoint& again = tries_again_[link.path];
  if (now < again) return;
  if (again != TimePoint{} && !rule_)
    options_.say(fmt::format("{}: the relay takes no connection of TCP: does it run with --split?", link.name));
  again = now + kTryAgain;
  if (auto socket = TcpSocket::connecting_to(link.relay, {.link = link.name}))
    carrier_->attach(link.path, *std::move(socket));
}

/// Connections through the device of the tunnel end here from now on.
void SplitClient::lead_here() {
  if (listeners_.empty()) {
    listen(loopback_ipv4());
    try {
      listen(loopback_ipv6());
    } catch (const std::system_error&) {  // this machine has no IPv6
    }
  }
  std::string chains = "  chain output {\n    type nat hook output priority -100; policy accept;\n";
  // What listens at the relay is reached by packets: its firewall knows only these as a client's.
  for (const std::string& address : options_.at_relay())
    chains += fmt::format("    oifname \"{}\" {} daddr {} return\n", options_.device, is_ipv6(address) ? "ip6" : "ip",
                          address);
  bool ipv4 = true;
  for (const TcpListener& listener : listeners_)
    chains += fmt::format("    oifname \"{}\" meta nfproto {} meta l4proto tcp redirect to :{}\n", options_.device,
                          std::exchange(ipv4, false) ? "ipv4" : "ipv6", listener.port());
  rule_.emplace("tributary_split_" + options_.device, chains + "  }\n", "without --split none are needed");
  options_.say("connections of TCP are split: each link carries a part of them");
}

void SplitClient::listen(const PeerAddress& address) {
  listeners_.emplace_back(address, loop_, [this](TcpSocket local, TimePoint) { carry(std::move(local)); });
}

void SplitClient::carry(TcpSocket local) {
  const auto to = local.original_destination();
  const std::size_t carried = carrier_ ? carrier_->connections() : 0;
  if (to && carrier_ && shares_.leaves(carried))
    carrier_->carry(std::move(local), *to);
  else
    local.will_break_off();
}

void SplitClient::work(TimePoint now) {
  // One that rests is woken by look(), which comes as often.
  for (TcpListener& listener : listeners_) listener.work(now);
  if (carrier_) carrier_->work();
}

}  // namespace tributary
