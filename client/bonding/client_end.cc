#include "bonding/client_end.hh"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tributary::bonding {
namespace {

constexpr Duration kGiveUp = std::chrono::seconds{10};

}  // namespace

void ClientEnd::link_up(PathId path, TimePoint now) {
  links_[path] = true;
  if (!connection_ && !handshake_) handshake_.emplace(key_);
  if (connection_) connection_->path_up(path, now);
  if (handshake_) send_hellos(now);
}

void ClientEnd::link_down(PathId path, TimePoint now) {
  links_[path] = false;
  if (connection_) connection_->path_down(path, now);
}

void ClientEnd::packet(Bytes packet, TimePoint now) {
  if (connection_) connection_->send(std::move(packet), now);
}

void ClientEnd::datagram(PathId path, ByteSpan datagram, TimePoint now) {
  if (const auto header = read_header(datagram)) {
    const bool ours = connection_ && header->connection == connection_->id() && header->path == path;
    if (ours && connection_->arrived(*header, datagram, {}, now)) handshake_.reset();
    return;
  }
  if (!handshake_) return;
  if (const auto welcome = handshake_->answered(path, datagram, now)) welcomed(*welcome, path, now);
}

void ClientEnd::welcomed(const Welcome& welcome, PathId path, TimePoint now) {
  handshake_.reset();
  assignment_ = welcome.assignment;
  connected_at_ = now;
  BondingOptions options = options_;
  options.mtu = std::min(options.mtu, welcome.assignment.mtu);
  // To the client the relay has one address, which the sockets of the paths know.
  connection_.emplace(welcome.assignment.connection, welcome.keys, options, PeerAddress{});
  connection_->path_up(path, now);
  for (const auto& [id, up] : links_) {
    if (up && id != path) connection_->path_up(id, now);
  }
}

void ClientEnd::close(TimePoint now) {
  if (connection_) connection_->close(now);
}

std::optional<TimePoint> ClientEnd::give_up_at() const {
  if (!connection_ || handshake_ || connection_->is_alive()) return std::nullopt;
  return std::max(connected_at_, connection_->heard_at()) + kGiveUp;
}

TimePoint ClientEnd::next_deadline() const {
  TimePoint deadline = connection_ ? connection_->next_deadline() : TimePoint::max();
  if (const auto give_up = give_up_at()) deadline = std::min(deadline, *give_up);
  for (const auto& [id, up] : links_) {
    if (handshake_ && up) deadline = std::min(deadline, handshake_->next_hello(id));
  }
  return deadline;
}

void ClientEnd::wake(TimePoint now) {
  if (connection_) connection_->wake(now);
  if (const auto give_up = give_up_at(); give_up && *give_up <= now) handshake_.emplace(key_);
  if (handshake_) send_hellos(now);
}

void ClientEnd::send_hellos(TimePoint now) {
  for (const auto& [id, up] : links_) {
    if (up && handshake_->next_hello(id) <= now) hellos_.push_back({id, {}, handshake_->hello(id, now)});
  }
}

std::vector<OutgoingDatagram> ClientEnd::take_datagrams() {
  std::vector<OutgoingDatagram> datagrams = std::exchange(hellos_, {});
  if (connection_) std::ranges::move(connection_->take_datagrams(), std::back_inserter(datagrams));
  return datagrams;
}

std::vector<Bytes> ClientEnd::take_packets() {
  return connection_ ? connection_->take_packets() : std::vector<Bytes>{};
}

}  // namespace tributary::bonding
