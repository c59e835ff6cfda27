#include "relay/relay_server.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "relay/refused_networks.hh"
#include "system/descriptor_limit.hh"
#include "tunnel/machine/client_list_file.hh"
#include "tunnel/machine/relay_address.hh"

namespace tributary {
namespace {

using bonding::AddressPool, bonding::Bytes, bonding::PeerAddress;

constexpr std::size_t kFairShare = 256;  // packets of the device until it is the socket's turn

std::string text_of(const std::array<std::byte, 4>& ipv4) {
  PeerAddress mapped;
  mapped.address[10] = mapped.address[11] = std::byte{0xff};
  std::ranges::copy(ipv4, mapped.address.begin() + 12);
  return address_text(mapped);
}
std::string text_of(const std::array<std::byte, 16>& ipv6) { return address_text({.address = ipv6}); }

std::vector<std::string> networks_of(const bonding::InnerNetwork& network) {
  std::vector<std::string> networks{text_of(network.ipv4) + "/16"};
  if (network.offers_ipv6) networks.push_back(text_of(network.ipv6) + "/64");
  return networks;
}

std::vector<std::string> own_addresses(const bonding::InnerNetwork& network) {
  std::vector<std::string> addresses{text_of(network.ipv4_of(AddressPool::kRelay)) + "/16"};
  if (network.offers_ipv6) addresses.push_back(text_of(network.ipv6_of(AddressPool::kRelay)) + "/64");
  return addresses;
}

}  // namespace

RelayServer::RelayServer(Options options)
    : options_{std::move(options)},
      relay_{{.identity = options_.identity, .clients = {}, .network = options_.network, .bonding = options_.bonding}},
      socket_{UdpSocket::listening_at(options_.listen)},
      device_{options_.device},
      network_{options_.device} {
  look_for_changes();  // before the list is read
  relay_.let_in(read_client_list(options_.client_list), EventLoop::now());
  network_.set(own_addresses(options_.network), options_.bonding.mtu);
  if (options_.split) {
    bonding::PeerAddress listen = options_.listen;
    listen.port = socket_.port();
    split_.emplace(SplitRelay::Options{.listen = listen,
                                       .rule = bonding::split_rule(options_.bonding.scheduler),
                                       .destinations = {options_.network, refused_networks(options_.public_only)},
                                       .descriptors = raise_descriptor_limit()},
                   relay_, loop_);
  }
  if (options_.nat) lead_on();
}

/// Clients reach the net behind this machine from now on.
void RelayServer::lead_on() {
  network_.join(RelayNat::kGroup);
  forwarding_.emplace(options_.network.offers_ipv6);
  const Forwarding::Before before = forwarding_->before();
  nat_.emplace(RelayNat::Options{.device = options_.device,
                                 .networks = networks_of(options_.network),
                                 .refused = refused_networks(options_.public_only),
                                 .guards_ipv4 = !before.ipv4,
                                 .guards_ipv6 = !before.ipv6});
  forwarding_->turn_on();
}

void RelayServer::look_for_changes() {
  try {
    list_changes_.emplace(options_.client_list);
  } catch (const std::system_error& error) {
    return options_.say(fmt::format("{}: changes of the list are seen at the next start only", error.what()));
  }
  loop_.watch(list_changes_->file_descriptor(), [this](TimePoint now) {
    if (list_changes_->changed()) read_list(now);
  });
}

/// A list that is broken changes nothing.
void RelayServer::read_list(TimePoint now) {
  try {
    bonding::ClientList clients = read_client_list(options_.client_list);
    options_.say(fmt::format("the list has changed: {} in it", clients.size()));
    relay_.let_in(std::move(clients), now);
  } catch (const std::runtime_error& error) {
    options_.say(fmt::format("{}: the list before goes on", error.what()));
  }
}

void RelayServer::run(int stop_fd) {
  loop_.watch(stop_fd, [this](TimePoint now) {
    relay_.close(now);
    send();
    loop_.stop();
  });
  loop_.watch(socket_.file_descriptor(), [this](TimePoint now) {
    socket_.receive([&](const UdpSocket::Datagram& datagram) {
      relay_.datagram(datagram.peer, datagram.bytes, now, datagram.came_at);
    });
  });
  loop_.watch(device_.file_descriptor(), [this](TimePoint now) {
    device_.read(kFairShare, [&](Bytes packet) { relay_.packet(std::move(packet), now); });
  });
  loop_.rest_when_busy();
  loop_.run([this](TimePoint now) { return work(now); });
}

std::optional<TimePoint> RelayServer::work(TimePoint now) {
  if (relay_.next_deadline() <= now) relay_.wake(now);
  send();
  device_.write(relay_.take_packets());
  tell_of_clients();
  const auto split = split_ ? split_->work(now) : std::nullopt;
  const TimePoint next = std::min(relay_.next_deadline(), split.value_or(TimePoint::max()));
  return next == TimePoint::max() ? std::nullopt : std::optional{next};
}

void RelayServer::send() {
  const std::vector<bonding::OutgoingDatagram> datagrams = relay_.take_datagrams();
  std::vector<UdpSocket::Datagram> to_send;
  for (const bonding::OutgoingDatagram& datagram : datagrams) to_send.push_back({datagram.to, datagram.bytes});
  socket_.send(to_send);
}

void RelayServer::tell_of_clients() {
  const std::size_t clients = relay_.clients();
  if (std::exchange(clients_told_, clients) == clients) return;
  options_.say(clients == 1 ? "1 client" : fmt::format("{} clients", clients));
}

}  // namespace tributary
