#include "bonding/client_end.hh"

#include <algorithm>
#include <iterator>
#include <utility>

#include "bonding/inner/possible_assignment.hh"

namespace tributary::bonding {
namespace {

constexpr Duration kGiveUp = std::chrono::seconds{10};
// Longer than any answer takes. Another program of this client may have told a later time, and then ours is never answered.
constexpr Duration kTryAnew = std::chrono::seconds{20};
constexpr Duration kRenewAfter = std::chrono::minutes{2};

}  // namespace

void ClientEnd::clock_is(HelloTime time_of_day, TimePoint now) {
  time_of_day_ = std::chrono::microseconds{static_cast<std::int64_t>(time_of_day)} - (now - TimePoint{});
}

/// Later than all before, whatever the clock says.
void ClientEnd::begin_handshake(const std::optional<ConnectionId>& renews, TimePoint now) {
  const auto since_1970 = std::chrono::duration_cast<std::chrono::microseconds>(time_of_day_ + (now - TimePoint{}));
  last_hello_ = std::max(next(last_hello_), static_cast<HelloTime>(since_1970.count()));
  handshake_.emplace(identity_, HelloPayload{last_hello_, renews});
  begun_at_ = now;
}

void ClientEnd::link_up(PathId path, TimePoint now) {
  links_[path] = true;
  if (!connection_ && !handshake_) begin_handshake(std::nullopt, now);
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

void ClientEnd::datagram(PathId path, ByteSpan datagram, TimePoint now, std::optional<TimePoint> came_at) {
  if (const auto header = read_header(datagram)) {
    const bool ours = connection_ && header->connection == connection_->id() && header->path == path;
    if (!ours || !connection_->arrived(*header, datagram, {}, now, came_at)) return;
    if (handshake_ && !handshake_->renews()) handshake_.reset();  // the old connection goes on
    return;
  }
  if (!handshake_) return;
  if (const auto answer = handshake_->answered(path, datagram, now)) welcomed(*answer, path, now);
}

void ClientEnd::welcomed(const ClientHandshake::Welcomed& welcomed, PathId path, TimePoint now) {
  const Assignment& assignment = welcomed.welcome.assignment;
  if (!is_possible(assignment)) {
    ++refused_assignments_;
    return;
  }
  const bool renews = handshake_->renews() && connection_ && assignment.connection == connection_->id();
  if (handshake_->renews() && !renews) return;
  handshake_.reset();
  renewed_at_ = now;
  if (!renews) return connect(welcomed, path, now);
  connection_->renew(welcomed.welcome.generation, welcomed.keys, Connection::SealWithThem::kNow, now);
}

void ClientEnd::connect(const ClientHandshake::Welcomed& welcomed, PathId path, TimePoint now) {
  assignment_ = welcomed.welcome.assignment;
  connected_at_ = now;
  BondingOptions options = options_;
  options.mtu = std::min(options.mtu, assignment_->mtu);
  // To the client the relay has one address, which the sockets of the paths know.
  connection_.emplace(assignment_->connection, welcomed.keys, options, PeerAddress{});
  connection_->path_up(path, now);
  for (const auto& [id, up] : links_) {
    if (up && id != path) connection_->path_up(id, now);
  }
}

void ClientEnd::close(TimePoint now) {
  if (connection_) connection_->close(now);
}

std::optional<TimePoint> ClientEnd::give_up_at() const {
  const bool tries_anew = handshake_ && !handshake_->renews();
  if (!connection_ || tries_anew || connection_->is_alive()) return std::nullopt;
  return std::max(connected_at_, connection_->heard_at()) + kGiveUp;
}

std::optional<TimePoint> ClientEnd::renew_at() const {
  if (!connection_ || handshake_ || !connection_->is_alive()) return std::nullopt;
  return renewed_at_ + kRenewAfter;
}

std::optional<TimePoint> ClientEnd::try_anew_at() const {
  return handshake_ ? std::optional{begun_at_ + kTryAnew} : std::nullopt;
}

TimePoint ClientEnd::next_deadline() const {
  TimePoint deadline = connection_ ? connection_->next_deadline() : TimePoint::max();
  for (const auto& at : {give_up_at(), renew_at(), try_anew_at()}) deadline = std::min(deadline, at.value_or(deadline));
  for (const auto& [id, up] : links_) {
    if (handshake_ && up) deadline = std::min(deadline, handshake_->next_hello(id));
  }
  return deadline;
}

void ClientEnd::wake(TimePoint now) {
  if (connection_) connection_->wake(now);
  if (const auto give_up = give_up_at(); give_up && *give_up <= now) begin_handshake(std::nullopt, now);
  if (const auto renew = renew_at(); renew && *renew <= now) begin_handshake(connection_->id(), now);
  if (const auto anew = try_anew_at(); anew && *anew <= now) {
    const std::optional<ConnectionId> renews = handshake_->renews();
    begin_handshake(renews, now);
  }
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
