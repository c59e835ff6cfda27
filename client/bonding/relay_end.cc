#include "bonding/relay_end.hh"

#include <algorithm>
#include <iterator>

#include "bonding/inner/inner_packet.hh"

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kUnused = 5s, kSilent = 3min;

}  // namespace

RelayEnd::RelayEnd(const PresharedKey& key, const InnerNetwork& network, const BondingOptions& options)
    : key_{key}, network_{network}, options_{options}, handshake_{key} {}

void RelayEnd::packet(Bytes packet, TimePoint now) {
  const auto addresses = inner_addresses(packet);
  const auto host = addresses ? network_.host_of(addresses->destination) : std::nullopt;
  const auto found = host ? by_host_.find(*host) : by_host_.end();
  if (found == by_host_.end()) return;
  Client& client = clients_.at(found->second);
  client.connection.send(std::move(packet), now);
  collect(client);
}

void RelayEnd::datagram(const PeerAddress& from, ByteSpan datagram, TimePoint now) {
  const auto header = read_header(datagram);
  if (!header) return hello(from, datagram, now);
  const auto found = clients_.find(header->connection);
  if (found == clients_.end() || !found->second.connection.arrived(*header, datagram, from, now)) return;
  if (found->second.connection.closed_by_peer()) return forget(found);
  collect(found->second);
}

void RelayEnd::hello(const PeerAddress& from, ByteSpan datagram, TimePoint now) {
  const auto examined = handshake_.examine(datagram, from, now);
  if (const auto* ask_back = std::get_if<RelayHandshake::AskBack>(&examined)) {
    datagrams_.push_back({{}, from, ask_back->retry});
  } else if (const auto* proven = std::get_if<RelayHandshake::Proven>(&examined)) {
    welcome(from, proven->client, now);
  }
}

void RelayEnd::welcome(const PeerAddress& from, const PublicKey& public_key, TimePoint now) {
  const auto known = by_key_.find(public_key);
  Client* client = known == by_key_.end() ? make_client(from, public_key, now) : &clients_.at(known->second);
  if (client != nullptr) datagrams_.push_back({{}, from, client->welcome});
}

RelayEnd::Client* RelayEnd::make_client(const PeerAddress& from, const PublicKey& public_key, TimePoint now) {
  make_room();
  const auto host = addresses_.take();
  if (!host) return nullptr;
  const Assignment assignment{free_id(), network_.ipv4_of(*host),
                              network_.offers_ipv6 ? network_.ipv6_of(*host) : std::array<std::byte, 16>{},
                              options_.mtu};
  auto welcomed = handshake_.welcome(public_key, assignment);
  if (!welcomed) {
    addresses_.give_back(*host);
    return nullptr;
  }
  Client& client =
      clients_
          .try_emplace(assignment.connection, Client{Connection{assignment.connection, welcomed->keys, options_, from},
                                                     *host, public_key, std::move(welcomed->welcome), now})
          .first->second;
  by_host_[*host] = by_key_[public_key] = assignment.connection;
  collect(client);
  return &client;
}

/// The oldest client that has not used its connection goes when there are too many of them.
void RelayEnd::make_room() {
  std::size_t unused = 0;
  auto oldest = clients_.end();
  for (auto client = clients_.begin(); client != clients_.end(); ++client) {
    if (client->second.used()) continue;
    ++unused;
    if (oldest == clients_.end() || client->second.made_at < oldest->second.made_at) oldest = client;
  }
  if (unused >= kMostUnused) forget(oldest);
}

void RelayEnd::forget(Clients::iterator client) {
  addresses_.give_back(client->second.host);
  by_host_.erase(client->second.host);
  by_key_.erase(client->second.public_key);
  deadlines_.erase({client->second.deadline, client->first});
  clients_.erase(client);
}

/// Random, so that who was not told it cannot know it.
ConnectionId RelayEnd::free_id() const {
  ConnectionId id{};
  do {
    id = static_cast<ConnectionId>(randombytes_random());
  } while (clients_.contains(id));
  return id;
}

TimePoint RelayEnd::ends_at(const Client& client) const {
  return client.used() ? client.connection.heard_at() + kSilent : client.made_at + kUnused;
}

void RelayEnd::collect(Client& client) {
  std::ranges::move(client.connection.take_datagrams(), std::back_inserter(datagrams_));
  for (Bytes& packet : client.connection.take_packets()) {
    const auto addresses = inner_addresses(packet);
    if (addresses && network_.host_of(addresses->source) == client.host) packets_.push_back(std::move(packet));
  }
  deadlines_.erase({client.deadline, client.connection.id()});
  client.deadline = std::min(client.connection.next_deadline(), ends_at(client));
  deadlines_.insert({client.deadline, client.connection.id()});
}

void RelayEnd::close(TimePoint now) {
  for (auto& [id, client] : clients_) {
    client.connection.close(now);
    collect(client);
  }
}

TimePoint RelayEnd::next_deadline() const { return deadlines_.empty() ? TimePoint::max() : deadlines_.begin()->first; }

void RelayEnd::wake(TimePoint now) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const auto found = clients_.find(deadlines_.begin()->second);
    if (ends_at(found->second) <= now) {
      forget(found);
      continue;
    }
    found->second.connection.wake(now);
    collect(found->second);
    // What is due at once comes at the next call: a clock that stands still must not hold us.
    if (found->second.deadline <= now) break;
  }
}

const Connection* RelayEnd::connection(ConnectionId id) const {
  const auto found = clients_.find(id);
  return found == clients_.end() ? nullptr : &found->second.connection;
}

}  // namespace tributary::bonding
