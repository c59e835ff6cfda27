#include "tunnel/tunnel_client.hh"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "accounts/link_account.hh"
#include "bonding/client_end.hh"
#include "bonding/inner/address_pool.hh"
#include "links/interfaces/link_details.hh"
#include "system/event_loop.hh"
#include "tunnel/inner_filter.hh"
#include "tunnel/machine/device_network.hh"
#include "tunnel/machine/packet_device.hh"
#include "tunnel/machine/relay_address.hh"
#include "tunnel/machine/udp_socket.hh"
#include "tunnel/own_addresses.hh"
#include "tunnel/split_client.hh"
#include "tunnel/standby_links.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

using bonding::Bytes, bonding::ByteSpan, bonding::PathId, bonding::PeerAddress;

constexpr std::size_t kFairShare = 128;  // packets of the device until it is the links' turn
constexpr Duration kComplainEvery = std::chrono::seconds{5};
constexpr Duration kLookEvery = std::chrono::seconds{1};           // at caps, and at what answers
constexpr Duration kLookAtSplit = std::chrono::milliseconds{100};  // at links that died, for connections of TCP

bonding::HelloTime time_of_day() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<bonding::HelloTime>(std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count());
}

/// Of IP and UDP: a datagram has these as well.
DataSize headers_to(const PeerAddress& peer) { return DataSize{(is_ipv4(peer) ? 20 : 40) + 8}; }

using Ipv4 = decltype(bonding::Assignment::ipv4);
using Ipv6 = decltype(bonding::Assignment::ipv6);

std::vector<std::string> texts_of(const Ipv4& mapped, const Ipv6& address) {
  PeerAddress ipv4, ipv6{.address = address};
  ipv4.address[10] = ipv4.address[11] = std::byte{0xff};
  std::ranges::copy(mapped, ipv4.address.begin() + 12);
  std::vector<std::string> addresses{address_text(ipv4)};
  if (ipv6.address != PeerAddress{}.address) addresses.push_back(address_text(ipv6));
  return addresses;
}

std::vector<std::string> addresses_of(const bonding::Assignment& assignment) {
  return texts_of(assignment.ipv4, assignment.ipv6);
}

/// Those of the relay in the tunnel.
std::vector<std::string> addresses_of_relay(const bonding::Assignment& assignment) {
  const auto network = bonding::InnerNetwork::of(assignment.ipv4, assignment.ipv6);
  const auto relay = bonding::AddressPool::kRelay;
  return texts_of(network.ipv4_of(relay), network.offers_ipv6 ? network.ipv6_of(relay) : Ipv6{});
}

}  // namespace

class TunnelClient::Impl {
 public:
  Impl(Options options, LinkMonitor& monitor)
      : options_{std::move(options)},
        monitor_{monitor},
        client_{options_.identity, options_.bonding},
        device_{options_.device},
        network_{options_.device},
        filter_{options_.networks} {
    if (!options_.split) return;
    split_.emplace(SplitClient::Options{.device = options_.device,
                                        .rule = bonding::split_rule(options_.bonding.scheduler),
                                        .at_relay = [this] { return addresses_of_relay(*assignment_); },
                                        .say = options_.say,
                                        .carried = [this](PathId path, DataSize size) { count(path, size); }},
                   loop_);
  }

  void run(int stop_fd);
  std::vector<CarriedByLink> carried() const;
  PacketCounts packet_counts() const;

 private:
  struct Link {
    PathId path{};
    LinkInfo info;
    bool usable = false;
    std::optional<PeerAddress> relay{};  // of the family that the link has
    std::optional<UdpSocket> socket{};   // in use
    LinkTerms terms{};
    std::unique_ptr<LinkAccount> account{};  // of one that costs something, once it was used
    DataSize carried{};
    bool warned = false;
  };

  void look_at_links(TimePoint now);
  Link* link_of(const LinkInfo& info);
  void choose_links(TimePoint now);
  void use(const std::string& name, Link& link, TimePoint now);
  void leave(const std::string& name, Link& link, TimePoint now);
  bool answers(const Link& link) const;
  static bool may_bring_more(const Link& link, TimePoint now);
  void warn(const std::string& name, Link& link);

  void read_device(TimePoint now);
  void receive(PathId path, TimePoint now);
  std::optional<TimePoint> work(TimePoint now);
  void send();
  void take_assignment();
  void let_in(std::vector<Bytes> packets);
  void look_at_split(TimePoint now);
  void count(PathId path, DataSize size);
  void tell_of_links(TimePoint now);

  Options options_;
  LinkMonitor& monitor_;
  bonding::ClientEnd client_;
  PacketDevice device_;
  DeviceNetwork network_;
  InnerFilter filter_;
  EventLoop loop_;
  std::map<std::string, Link> links_;
  StandbyLinks standby_;
  TimePoint look_at_{};
  std::optional<bonding::Assignment> assignment_;
  int refused_assignments_ = 0;  // that were told
  std::set<std::string> told_;   // links over which the relay answers
  TimePoint complain_at_{};      // if it has not answered over any
  std::optional<SplitClient> split_;
  TimePoint look_at_split_{};
};

// ---- Links

void TunnelClient::Impl::look_at_links(TimePoint now) {
  for (const LinkChangeNotice& notice : monitor_.poll()) {
    if (notice.link.role == LinkRole::kOwnTunnel || notice.link.role == LinkRole::kLoopback) continue;
    if (!options_.way(notice.link.name).carries_datagrams()) continue;
    Link* link = link_of(notice.link);
    if (link == nullptr) continue;
    link->info = notice.link;
    link->usable = notice.usable;
    const auto reachable = std::ranges::find_if(options_.relay, [&](const PeerAddress& address) {
      return is_ipv4(address) ? notice.link.has_ipv4 : notice.link.has_ipv6;
    });
    link->relay = reachable == options_.relay.end() ? std::nullopt : std::optional{*reachable};
    if (!notice.usable) {
      if (link->socket) options_.say(fmt::format("{}: {}", notice.link.name, notice.why));
      leave(notice.link.name, *link, now);
    }
  }
  choose_links(now);
}

/// Nothing for more links than a tunnel has paths.
TunnelClient::Impl::Link* TunnelClient::Impl::link_of(const LinkInfo& info) {
  const auto found = links_.find(info.name);
  if (found != links_.end()) return &found->second;
  if (links_.size() == bonding::Connection::kMostPaths) return nullptr;
  const auto path = static_cast<PathId>(links_.size());
  Link& link = links_.emplace(info.name, Link{.path = path, .info = info}).first->second;
  link.terms = options_.terms(info.name);
  return &link;
}

bool TunnelClient::Impl::answers(const Link& link) const {
  if (!link.socket || client_.connection() == nullptr) return false;
  const auto& paths = client_.connection()->paths();
  const auto found = paths.find(link.path);
  return found != paths.end() && found->second.is_alive();
}

bool TunnelClient::Impl::may_bring_more(const Link& link, TimePoint now) {
  if (!link.account) return true;
  link.account->look(now);
  return link.account->allows_more();
}

void TunnelClient::Impl::choose_links(TimePoint now) {
  std::vector<StandbyLinks::Link> known;
  for (auto& [name, link] : links_) {
    const bool usable = link.usable && link.relay;
    known.push_back({.name = name,
                     .terms = link.terms,
                     .usable = usable,
                     .allowed = may_bring_more(link, now),
                     .answers = answers(link)});
  }
  const std::set<std::string> chosen = standby_.choose(known, now);
  for (auto& [name, link] : links_) {
    const bool wanted = chosen.contains(name);
    if (wanted && !link.socket) use(name, link, now);
    if (!wanted && link.socket) leave(name, link, now);
  }
}

void TunnelClient::Impl::use(const std::string& name, Link& link, TimePoint now) {
  const bool costs = is_spared(link.terms.kind);
  if (costs && options_.budget != nullptr && !link.account) {
    link.account = std::make_unique<LinkAccount>(options_.budget->lease(name, link.terms));
    if (!may_bring_more(link, now)) return options_.say(fmt::format("{}: {}", name, link.account->why_not_more()));
  }
  try {
    link.socket.emplace(UdpSocket::over(name));
  } catch (const std::exception& error) {
    options_.say(error.what());
    link.usable = false;
    return;
  }
  warn(name, link);
  if (costs) options_.say(fmt::format("{}: used although it costs something, as no free link answers", name));
  loop_.watch(link.socket->file_descriptor(), [this, path = link.path](TimePoint at) { receive(path, at); });
  client_.link_up(link.path, now);
}

void TunnelClient::Impl::leave(const std::string& name, Link& link, TimePoint now) {
  if (!link.socket) return;
  if (link.usable && !may_bring_more(link, now)) {
    options_.say(fmt::format("{}: {}", name, link.account->why_not_more()));
  } else if (link.usable) {
    options_.say(fmt::format("{}: not used any more, as a free link answers", name));
  }
  client_.link_down(link.path, now);
  send();
  loop_.forget(link.socket->file_descriptor());
  link.socket.reset();
  told_.erase(name);
}

void TunnelClient::Impl::warn(const std::string& name, Link& link) {
  if (std::exchange(link.warned, true) || !filters_reverse_path(name)) return;
  options_.say(fmt::format(
      "{0}: answers may not come in, because rp_filter is strict: sysctl -w net.ipv4.conf.{0}.rp_filter=2", name));
}

void TunnelClient::Impl::tell_of_links(TimePoint now) {
  if (client_.connection() == nullptr && now >= complain_at_) {
    const bool first = std::exchange(complain_at_, now + kComplainEvery) == TimePoint{};
    if (std::ranges::none_of(links_, [](const auto& entry) { return entry.second.socket.has_value(); }))
      options_.say("no link leads to the relay: waiting for one");
    else if (!first)
      options_.say(
          "the relay does not answer: does it run, can UDP reach it, is this client in its list, and "
          "is the clock of this machine right?");
  }
  for (const auto& [name, link] : links_) {
    if (answers(link) && told_.insert(name).second) {
      options_.say(fmt::format("{}: the relay answers at {}", name, address_text(*link.relay)));
    } else if (!answers(link) && told_.erase(name) > 0) {
      options_.say(fmt::format("{}: the relay does not answer", name));
    }
  }
}

// ---- Packets

void TunnelClient::Impl::read_device(TimePoint now) {
  device_.read(kFairShare, [&](Bytes packet) { client_.packet(std::move(packet), now); });
}

void TunnelClient::Impl::receive(PathId path, TimePoint now) {
  const auto found = std::ranges::find_if(links_, [&](const auto& entry) { return entry.second.path == path; });
  Link& link = found->second;
  link.socket->receive([&](const UdpSocket::Datagram& datagram) {
    const DataSize size{static_cast<std::int64_t>(datagram.bytes.size())};
    link.carried += size;
    if (link.account) link.account->carried(size + headers_to(datagram.peer));
    client_.datagram(path, datagram.bytes, now, datagram.came_at);
  });
}

void TunnelClient::Impl::send() {
  const std::vector<bonding::OutgoingDatagram> datagrams = client_.take_datagrams();
  if (datagrams.empty()) return;
  for (auto& [name, link] : links_) {
    if (!link.socket) continue;
    std::vector<UdpSocket::Datagram> of_link;
    for (const bonding::OutgoingDatagram& datagram : datagrams) {
      if (datagram.path != link.path) continue;
      of_link.push_back({*link.relay, datagram.bytes});
      const DataSize size{static_cast<std::int64_t>(datagram.bytes.size())};
      link.carried += size;
      if (link.account) link.account->carried(size + headers_to(*link.relay));
    }
    link.socket->send(of_link);
  }
}

void TunnelClient::Impl::take_assignment() {
  if (std::exchange(refused_assignments_, client_.refused_assignments()) == 0 && refused_assignments_ > 0)
    options_.say(
        "the relay gives us an address or a size of packets that no machine can have: the tunnel carries nothing");
  if (client_.assignment() == assignment_) return;
  assignment_ = client_.assignment();
  const std::vector<std::string> addresses = addresses_of(*assignment_);
  std::vector<std::string> with_length;
  for (const std::string& address : addresses) with_length.push_back(network_of_one(address));
  for (const std::string& address : addresses) {
    if (const auto device = device_with(address, options_.device))
      return options_.say(
          fmt::format("the relay gives us {}, which {} has: the tunnel carries nothing (its --network "
                      "must be another one)",
                      address, *device));
  }
  filter_.own_addresses(*assignment_);
  network_.set(with_length, std::min(options_.bonding.mtu, assignment_->mtu));
  for (const std::string& network : options_.networks) network_.lead_here(network);
  options_.connected(addresses);
}

void TunnelClient::Impl::let_in(std::vector<Bytes> packets) {
  std::erase_if(packets, [this](const Bytes& packet) { return !filter_.lets_in(packet); });
  device_.write(packets);
}

/// What connections of TCP beside the datagrams carry.
void TunnelClient::Impl::count(PathId path, DataSize size) {
  const auto found = std::ranges::find_if(links_, [&](const auto& entry) { return entry.second.path == path; });
  if (found == links_.end()) return;
  found->second.carried += size;
  if (found->second.account) found->second.account->carried(size);
}

void TunnelClient::Impl::look_at_split(TimePoint now) {
  std::vector<SplitClient::Link> links;
  for (const auto& [name, link] : links_) {
    if (link.relay) links.push_back({link.path, name, *link.relay, answers(link)});
  }
  split_->look(client_.connection(), links, now);
}

std::optional<TimePoint> TunnelClient::Impl::work(TimePoint now) {
  if (client_.next_deadline() <= now) client_.wake(now);
  const auto standby = standby_.next_deadline();
  if (now >= look_at_ || (standby && now >= *standby)) {
    client_.clock_is(time_of_day(), now);
    tell_of_links(now);
    choose_links(now);
    look_at_ = now + kLookEvery;
  }
  take_assignment();
  send();
  let_in(client_.take_packets());
  if (split_ && now >= look_at_split_) {
    look_at_split(now);
    look_at_split_ = now + kLookAtSplit;
  }
  if (split_) split_->work(now);
  return std::min({client_.next_deadline(), look_at_, standby_.next_deadline().value_or(look_at_),
                   split_ ? look_at_split_ : look_at_});
}

void TunnelClient::Impl::run(int stop_fd) {
  loop_.watch(stop_fd, [&](TimePoint now) {
    client_.close(now);
    send();
    loop_.stop();
  });
  loop_.watch(monitor_.file_descriptor(), [this](TimePoint now) { look_at_links(now); });
  loop_.watch(device_.file_descriptor(), [this](TimePoint now) { read_device(now); });
  client_.clock_is(time_of_day(), EventLoop::now());
  look_at_links(EventLoop::now());
  loop_.rest_when_busy();
  loop_.run([this](TimePoint now) { return work(now); });
}

std::vector<CarriedByLink> TunnelClient::Impl::carried() const {
  std::vector<CarriedByLink> carried;
  for (const auto& [name, link] : links_) {
    if (link.carried > DataSize{}) carried.push_back({name, link.carried});
  }
  return carried;
}

TunnelClient::PacketCounts TunnelClient::Impl::packet_counts() const {
  const bonding::Connection* const connection = client_.connection();
  if (connection == nullptr) return {};
  return {connection->outgoing().dropped(), connection->outgoing().reinjected()};
}

TunnelClient::TunnelClient(Options options, LinkMonitor& monitor)
    : impl_{std::make_unique<Impl>(std::move(options), monitor)} {}
TunnelClient::~TunnelClient() = default;
void TunnelClient::run(int stop_fd) { impl_->run(stop_fd); }
TunnelClient::PacketCounts TunnelClient::packet_counts() const { return impl_->packet_counts(); }
std::vector<CarriedByLink> TunnelClient::carried() const { return impl_->carried(); }

}  // namespace tributary
