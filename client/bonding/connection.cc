#include "bonding/connection.hh"

#include <algorithm>
#include <iterator>
#include <utility>

#include "units/overloaded.hh"

namespace tributary::bonding {
namespace {

/// Padding that makes a datagram of a message with `header` bytes as large as it is wanted.
DataSize padding_for(DataSize datagram, DataSize header) {
  return std::max(datagram - kSealedOverhead - kMessageHeader - header, DataSize{});
}

constexpr DataSize kTrainCarHeader{4};
// An answer with a challenge of its own is smaller than a challenge of this size.
constexpr DataSize kChallengeSize{200};
constexpr DataSize kKeepAlivePadding{32};

}  // namespace

Connection::Connection(ConnectionId id, const SessionKeys& keys, const BondingOptions& options,
                       const std::optional<PeerAddress>& peer)
    : id_{id},
      keys_{std::make_shared<KeyRing>(keys)},
      options_{options},
      proven_peer_{peer},
      outgoing_{options},
      resequencer_{make_resequencer(options.resequencer)} {}

bool Connection::is_alive() const {
  return std::ranges::any_of(paths_, [](const auto& path) { return path.second.is_alive(); });
}

TunnelPath& Connection::path_of(PathId id, const PeerAddress& from) {
  const auto found = paths_.find(id);
  if (found != paths_.end()) return found->second;
  const DataSize largest = datagram_size(options_.mtu);
  const PathAddress address{from, from == proven_peer_};
  return paths_.try_emplace(id, id, address, outgoing_.kind(), largest, options_.keep_alive).first->second;
}

void Connection::path_up(PathId id, TimePoint now) {
  if (paths_.size() >= kMostPaths && !paths_.contains(id)) return;
  TunnelPath& path = path_of(id, proven_peer_.value_or(PeerAddress{}));
  path.link_is_up = true;
  challenge(path, now);
}

void Connection::path_down(PathId id, TimePoint now) {
  const auto found = paths_.find(id);
  if (found == paths_.end()) return;
  found->second.link_is_up = false;
  leave(id, now);
  for (auto& [other, path] : paths_) {
    if (path.is_alive()) send_on(path, PathLeft{id}, now);
  }
}

void Connection::leave(PathId id, TimePoint now) {
  const auto found = paths_.find(id);
  if (found != paths_.end() && found->second.liveness.link_is_down(now)) became_silent(found->second, now);
}

void Connection::send(Bytes packet, TimePoint now) {
  if (size_of(packet) > options_.mtu) return;
  outgoing_.add(std::move(packet), now);
  send_waiting(now);
}

/// What follows from each message of the peer.
class Connection::Dispatch {
 public:
  struct OnItsWay {
    SentTime sent_at;  // by the clock of the peer
    TimePoint came_at;
  };
  Dispatch(Connection& connection, TunnelPath& path, const PeerAddress& from, const OnItsWay& way, DataSize size,
           TimePoint now)
      : connection_{connection}, path_{path}, from_{from}, way_{way}, size_{size}, now_{now} {}

  void operator()(const InnerData& data) {
    const std::uint64_t sequence = to_index(data.sequence);
    if (!connection_.seen_.is_fresh(sequence)) return;
    connection_.seen_.accept(sequence);
    const bool follows = std::exchange(path_.whole, true);
    connection_.deliver(connection_.resequencer_->arrived(
        {path_.id, data.sequence, way_.sent_at, Bytes{data.packet.begin(), data.packet.end()}, follows}, now_));
  }

  void operator()(const Feedback& feedback) {
    const auto found = connection_.paths_.find(feedback.path);
    if (found == connection_.paths_.end()) return;
    TunnelPath& path = found->second;
    const SentPackets::News news = path.sender.take_in(feedback, way_.sent_at, now_);
    if (news.arrived.empty() && news.lost.empty()) return;
    connection_.outgoing_.arrived(news.arrived);
    connection_.outgoing_.lost(news.lost);
    for (const SentPacket& packet : news.arrived) path.mtu.arrived(packet.sequence);
    if (news.round_trip) connection_.resequencer_->one_way_delay(path.id, *news.round_trip / 2);
    if (!news.arrived.empty()) heard(path);
    connection_.send_waiting(now_);
  }

  void operator()(const TrainCar& car) {
    if (const auto report = path_.train_receiver.arrived(path_.id, car, size_, way_.came_at)) {
      connection_.send_on(path_, *report, now_);
    }
  }
  void operator()(const TrainReport& report) {
    const auto path = connection_.paths_.find(report.path);
    if (path != connection_.paths_.end()) path->second.sender.measured(report.rate);
  }
  void operator()(const PathChallenge& challenge) {
    connection_.send_on(path_, PathResponse{challenge.token}, {.to = from_}, now_);
    // The peer has it again.
    if (path_.liveness.state() == PathLiveness::State::kSilent) connection_.challenge(path_, now_);
  }
  void operator()(const PathResponse& response) {
    if (path_.address.answered(response.token)) heard(path_);
  }
  void operator()(const KeepAlive&) {}  // feedback is its answer
  void operator()(const MtuProbe&) {}
  void operator()(const PathLeft& left) { connection_.leave(left.path, now_); }
  void operator()(const Close&) { connection_.closed_by_peer_ = true; }

 private:
  void heard(TunnelPath& path) {
    if (!path.address.proven()) return;
    if (path.liveness.heard(now_)) connection_.became_alive(path, now_);
    if (path.sender.owes_answers()) path.liveness.asked(path.sender.time_out(), now_);
  }

  Connection& connection_;
  TunnelPath& path_;
  const PeerAddress& from_;
  OnItsWay way_;
  DataSize size_;
  TimePoint now_;
};

bool Connection::arrived(const PacketHeader& header, ByteSpan datagram, const PeerAddress& from, TimePoint now,
                         std::optional<TimePoint> came_at) {
  const auto known = paths_.find(header.path);
  const std::uint64_t sequence = to_index(header.sequence);
  if (known != paths_.end() && !known->second.seen.is_fresh(sequence)) return false;
  if (known == paths_.end() && paths_.size() >= kMostPaths) return false;
  const auto plain = keys_->open(KeyRing::Use::kDatagrams, header, datagram);
  const auto message = plain ? read_message(*plain) : std::nullopt;
  if (!message) return false;
  if (header.generation == after(keys_->sealing())) keys_->seal_with(header.generation, now);

  TunnelPath& path = path_of(header.path, from);
  path.seen.accept(sequence);
  const bool newest = !path.newest_seen || *path.newest_seen < header.sequence;
  if (!path.newest_seen || header.sequence != next(*path.newest_seen)) path.whole = false;
  if (newest) path.newest_seen = header.sequence;
  heard_at_ = now;
  resequencer_->came(path.id, message->sent_at, now);
  const DataSize size = size_of(datagram);
  const bool to_challenge = path.address.came_from(from, size, newest);
  using Asks = ReceivedPackets::Asks;
  const Asks asks = asks_for_feedback(message->message) ? Asks::kFeedback : Asks::kNothing;
  path.received.arrived(header.sequence, message->sent_at, now, asks, size);
  if (known == paths_.end() && path.address.proven() && path.liveness.heard(now)) became_alive(path, now);
  std::visit(Dispatch{*this, path, from, {message->sent_at, came_at.value_or(now)}, size, now}, message->message);
  if (to_challenge) challenge(path, now);
  return true;
}

void Connection::deliver(std::vector<Bytes> packets) { std::ranges::move(packets, std::back_inserter(packets_)); }

void Connection::renew(KeyGeneration generation, const SessionKeys& keys, SealWithThem when, TimePoint now) {
  keys_->put(generation, keys);
  if (when == SealWithThem::kOnceThePeerDoes) return;
  keys_->seal_with(generation, now);
  for (auto& [id, path] : paths_) {
    if (path.is_alive()) send_on(path, KeepAlive{kKeepAlivePadding}, now);  // so that the peer does so, too
  }
}

void Connection::close(TimePoint now) {
  for (auto& [id, path] : paths_) send_on(path, Close{}, now);
}

TimePoint Connection::next_deadline() const {
  TimePoint deadline = TimePoint::max();
  const auto at = [&](const std::optional<TimePoint>& time) { deadline = std::min(deadline, time.value_or(deadline)); };
  for (const auto& [id, path] : paths_) {
    at(path.received.due());
    if (!path.link_is_up) continue;
    at(path.liveness.next_deadline());
    if (!path.is_alive()) continue;
    at(path.mtu.next_probe());
    if (outgoing_.kind().by_trains) at(path.trains.next_train());
  }
  at(keys_->forgets_at());
  at(resequencer_->next_deadline());
  at(outgoing_.next_try());
  return deadline;
}

void Connection::wake(TimePoint now) {
  keys_->wake(now);
  for (auto& [id, path] : paths_) {
    if (path.received.due() && *path.received.due() <= now) send_feedback(path, now);
    if (path.link_is_up) wake_path(path, now);
  }
  deliver(resequencer_->wake(now));
  send_waiting(now);
}

void Connection::wake_path(TunnelPath& path, TimePoint now) {
  const PathLiveness::Due due = path.liveness.wake(now);
  if (due.fell_silent) became_silent(path, now);
  if (due.question && path.is_alive()) send_on(path, KeepAlive{kKeepAlivePadding}, now);
  if (due.question && !path.is_alive()) challenge(path, now);
  if (!path.is_alive()) return;
  if (const auto probe = path.mtu.next_probe(); probe && *probe <= now) {
    const MtuProbe padded{padding_for(path.mtu.largest(), {})};
    path.mtu.probed(send_on(path, padded, Extra{}, now), path.sender.time_out(), now);
  }
  if (outgoing_.kind().by_trains && path.trains.next_train() <= now) send_train(path, now);
}

void Connection::send_train(TunnelPath& path, TimePoint now) {
  const DataSize padding = padding_for(path.mtu.largest_passing(), kTrainCarHeader);
  for (const TrainCar& car : path.trains.train(padding, now)) send_on(path, car, now);
}

void Connection::became_alive(TunnelPath& path, TimePoint now) {
  resequencer_->path_joined(path.id);
  send_waiting(now);
}

void Connection::became_silent(TunnelPath& path, TimePoint now) {
  outgoing_.stranded(path.sender.give_up(now), now);
  deliver(resequencer_->path_left(path.id, now));
  send_waiting(now);
}

void Connection::send_waiting(TimePoint now) {
  while (auto decision = outgoing_.next(paths_, now)) {
    TunnelPath& path = paths_.find(decision->path)->second;
    send_on(path, InnerData{decision->sequence, decision->packet}, {.inner = decision->sequence}, now);
  }
  for (auto& [id, path] : paths_) path.sender.gets_no_more(!outgoing_.waits(), now);
}

/// Over the path itself, or if that is not alive, over one that is.
void Connection::send_feedback(TunnelPath& path, TimePoint now) {
  TunnelPath* over = &path;
  for (auto& [id, other] : paths_) {
    if (!over->is_alive() && other.is_alive()) over = &other;
  }
  send_on(*over, path.received.feedback(now), now);
}

void Connection::challenge(TunnelPath& path, TimePoint now) {
  const PathAddress::Challenge challenge = path.address.challenge();
  // To an address that is not proven yet, no more may be sent than came from there: the question is short.
  const DataSize padding = path.address.proven() ? padding_for(kChallengeSize, size_of(challenge.token)) : DataSize{};
  send_on(path, PathChallenge{challenge.token, padding}, {.to = challenge.to}, now);
}

void Connection::send_on(TunnelPath& path, const Message& message, TimePoint now) {
  send_on(path, message, Extra{}, now);
}

PathSequence Connection::send_on(TunnelPath& path, const Message& message, const Extra& extra, TimePoint now) {
  Bytes plain;
  plain.reserve(1600);
  write_message({sent_time(now), message}, plain);
  const DataSize size = size_of(plain) + kSealedOverhead;
  const PeerAddress to = extra.to.value_or(path.address.address());
  const PathSequence sequence = path.sender.next_sequence();
  if (!path.link_is_up || !path.address.may_send(to, size)) return sequence;
  datagrams_.push_back({path.id, to, keys_->seal(KeyRing::Use::kDatagrams, {id_, path.id, sequence}, plain)});
  if (asks_for_feedback(message)) {
    path.sender.sent({sequence, size, extra.inner}, now);
    path.liveness.asked(path.sender.time_out(), now);
  } else {
    path.sender.sent_unasked(sequence);
  }
  return sequence;
}

}  // namespace tributary::bonding
