#include "bonding/relay_end.hh"

#include <algorithm>
#include <iterator>

#include "bonding/inner/inner_packet.hh"

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kUnused = 5s, kSilent = 3min, kKeysLast = 6min;

}  // namespace

RelayEnd::RelayEnd(Options options)
    : network_{options.network},
      options_{std::move(options.bonding)},
      handshake_{options.identity},
      admission_{std::move(options.clients)} {}

void RelayEnd::let_in(ClientList clients, TimePoint now) {
  admission_.let_in(std::move(clients));
  for (auto client = clients_.begin(); client != clients_.end();) {
    const auto next = std::next(client);
    if (!admission_.knows(client->second.public_key)) {
      client->second.connection.close(now);
      collect(client->second);
      forget(client);
    }
    client = next;
  }
}

void RelayEnd::packet(Bytes packet, TimePoint now) {
  const auto addresses = inner_addresses(packet);
  const auto host = addresses ? network_.host_of(addresses->destination) : std::nullopt;
  const auto found = host ? by_host_.find(*host) : by_host_.end();
  if (found == by_host_.end()) return;
  Client& client = clients_.at(found->second);
  client.connection.send(std::move(packet), now);
  collect(client);
}

void RelayEnd::datagram(const PeerAddress& from, ByteSpan datagram, TimePoint now, std::optional<TimePoint> came_at) {
  const auto header = read_header(datagram);
  if (!header) return hello(from, datagram, now);
  const auto found = clients_.find(header->connection);
  if (found == clients_.end() || !found->second.connection.arrived(*header, datagram, from, now, came_at)) return;
  if (found->second.connection.closed_by_peer()) return forget(found);
  collect(found->second);
}

void RelayEnd::hello(const PeerAddress& from, ByteSpan datagram, TimePoint now) {
  const auto ask_back = [&](const PublicKey& ephemeral) {
    datagrams_.push_back({{}, from, handshake_.retry(ephemeral, from, now)});
  };
  const auto examined = handshake_.examine(datagram, from, now);
  if (const auto* many = std::get_if<RelayHandshake::TooMany>(&examined)) return ask_back(many->ephemeral);
  const auto* asked = std::get_if<RelayHandshake::Asked>(&examined);
  if (asked == nullptr || !admission_.knows(asked->noise.initiator())) return;

  const auto waiting = waiting_for(asked->noise.ephemeral());
  const bool is_new = admission_.is_new(asked->noise.initiator(), asked->payload.made_at);
  if (!is_new && waiting == clients_.end()) return;
  if (!asked->proven) return ask_back(asked->noise.ephemeral());
  if (waiting != clients_.end()) {
    datagrams_.push_back({{}, from, waiting->second.welcome});
  } else if (admission_.admits(asked->noise.initiator(), asked->payload.made_at, now)) {
    admitted(*asked, from, now);
  }
}

void RelayEnd::admitted(const RelayHandshake::Asked& asked, const PeerAddress& from, TimePoint now) {
  const Client* const client = asked.payload.renews ? renew(asked, now) : make_client(asked, from, now);
  if (client != nullptr) datagrams_.push_back({{}, from, client->welcome});
}

RelayEnd::Clients::iterator RelayEnd::waiting_for(const PublicKey& ephemeral) {
  return std::ranges::find_if(
      clients_, [&](const auto& client) { return client.second.hello == ephemeral && !client.second.has_the_keys(); });
}

RelayEnd::Client* RelayEnd::make_client(const RelayHandshake::Asked& asked, const PeerAddress& from, TimePoint now) {
  const PublicKey& public_key = asked.noise.initiator();
  make_room(public_key);
  const auto host = addresses_.take();
  if (!host) return nullptr;
  const ConnectionId id = free_id();
  auto welcomed = handshake_.welcome(asked.noise, {assignment_of(id, *host)});
  if (!welcomed) {
    addresses_.give_back(*host);
    return nullptr;
  }
  Client& client = clients_
                       .try_emplace(id, Client{.connection = Connection{id, welcomed->keys, options_, from},
                                               .host = *host,
                                               .public_key = public_key,
                                               .hello = asked.noise.ephemeral(),
                                               .welcome = std::move(welcomed->welcome),
                                               .made_at = now,
                                               .renewed_at = now})
                       .first->second;
  by_host_[*host] = id;
  ++connections_of_[public_key];
  collect(client);
  return &client;
}

/// Nothing if the connection is not there, or another client's.
RelayEnd::Client* RelayEnd::renew(const RelayHandshake::Asked& asked, TimePoint now) {
  const auto found = clients_.find(*asked.payload.renews);
  if (found == clients_.end() || found->second.public_key != asked.noise.initiator()) return nullptr;
  Client& client = found->second;
  const KeyGeneration offered = after(client.connection.keys()->sealing());
  auto welcomed = handshake_.welcome(asked.noise, {assignment_of(found->first, client.host), offered});
  if (!welcomed) return nullptr;
  client.connection.renew(offered, welcomed->keys, Connection::SealWithThem::kOnceThePeerDoes, now);
  client.hello = asked.noise.ephemeral();
  client.welcome = std::move(welcomed->welcome);
  client.offered = offered;
  client.renewed_at = now;
  collect(client);
  return &client;
}

Assignment RelayEnd::assignment_of(ConnectionId id, HostNumber host) const {
  return {id, network_.ipv4_of(host), network_.offers_ipv6 ? network_.ipv6_of(host) : std::array<std::byte, 16>{},
          options_.mtu};
}

void RelayEnd::make_room(const PublicKey& public_key) {
  const auto own = connections_of_.find(public_key);
  if (own != connections_of_.end() && own->second >= kMostOfClient) return forget(least_needed_of(public_key));
  if (own != connections_of_.end() || clients_.size() < kMostConnections) return;
  const auto most = std::ranges::max_element(connections_of_, {}, [](const auto& client) { return client.second; });
  if (most->second > 1) forget(least_needed_of(most->first));
}

RelayEnd::Clients::iterator RelayEnd::least_needed_of(const PublicKey& public_key) {
  auto least = clients_.end();
  const auto heard = [](Clients::iterator client) {
    return std::pair{client->second.connection.heard_at(), client->second.made_at};
  };
  for (auto client = clients_.begin(); client != clients_.end(); ++client) {
    if (client->second.public_key != public_key) continue;
    if (least == clients_.end() || heard(client) < heard(least)) least = client;
  }
  return least;
}

void RelayEnd::forget(Clients::iterator client) {
  addresses_.give_back(client->second.host);
  by_host_.erase(client->second.host);
  const auto own = connections_of_.find(client->second.public_key);
  if (--own->second == 0) connections_of_.erase(own);
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
  const TimePoint unheard = client.used() ? client.connection.heard_at() + kSilent : client.made_at + kUnused;
  return std::min(unheard, client.renewed_at + kKeysLast);
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
  // Each of them once: what is due again at once comes at the next call, and holds up neither us nor the others.
  std::vector<ConnectionId> due;
  for (const auto& [deadline, id] : deadlines_) {
    if (deadline > now) break;
    due.push_back(id);
  }
  for (const ConnectionId id : due) {
    const auto found = clients_.find(id);
    if (ends_at(found->second) <= now) {
      forget(found);
    } else {
      found->second.connection.wake(now);
      collect(found->second);
    }
  }
}

const Connection* RelayEnd::connection(ConnectionId id) const {
  const auto found = clients_.find(id);
  return found == clients_.end() ? nullptr : &found->second.connection;
}

}  // namespace tributary::bonding
