#include "virtual_link.hh"

#include <algorithm>
#include <cstring>

namespace tributary::testing {

using namespace std::chrono_literals;
using transport::ByteStream;
using transport::StreamStatus;

struct VirtualLink::Connection {
  ByteStream::State state = ByteStream::State::kConnecting;
  ByteStream::Failure failure;
  bool released = false;  // by the client
  std::optional<RoundTrip> round_trip;
  std::string asked;            // at the origin, not yet a whole request
  bool origin_is_done = false;  // it reads nothing more
  std::string arrived;          // here, not yet read
  std::size_t read = 0;
  StreamStatus end = StreamStatus::kOpen;
  TimePoint free_at;   // the origin turns to the next request then
  int being_made = 0;  // answers that wait for that
};

class VirtualLink::Stream final : public ByteStream {
 public:
  Stream(VirtualLink& link, std::shared_ptr<Connection> connection) : link_{link}, connection_{std::move(connection)} {}
  ~Stream() override { connection_->released = true; }

  State state() const override { return connection_->state; }
  const Failure& failure() const override { return connection_->failure; }
  std::size_t send(std::string_view bytes) override {
    const TimePoint leaves = link_.passes_at(link_.agenda_.now());
    link_.last_arrival_there_ = std::max(link_.last_arrival_there_, leaves + link_.phase(leaves).rtt / 2);
    link_.agenda_.at(link_.last_arrival_there_,
                     [&link = link_, c = connection_, text = std::string{bytes}] { link.arrives_at_origin(c, text); });
    return bytes.size();
  }
  Received receive(std::span<std::byte> buffer) override {
    Connection& c = *connection_;
    const std::size_t size = std::min(buffer.size(), c.arrived.size() - c.read);
    std::memcpy(buffer.data(), c.arrived.data() + c.read, size);
    c.read += size;
    if (c.read == c.arrived.size()) {
      c.arrived.clear();
      c.read = 0;
    }
    return {size, size > 0 || buffer.empty() ? StreamStatus::kOpen : c.end};
  }
  std::optional<RoundTrip> round_trip() const override { return connection_->round_trip; }
  std::optional<Duration> silence_of_peer() const override { return link_.silence_of_peer(); }

 private:
  VirtualLink& link_;
  std::shared_ptr<Connection> connection_;
};

VirtualLink::VirtualLink(const FaultPlan& plan, std::uint32_t number, VirtualOrigin& origin)
    : phases_{plan.links[number]}, number_{number}, origin_{origin}, chance_{plan.seed * 31 + number} {}

const LinkPhase& VirtualLink::phase(TimePoint at) const {
  const auto after = std::ranges::upper_bound(phases_, at, {}, &LinkPhase::at);
  return *std::prev(after);
}

TimePoint VirtualLink::passes_at(TimePoint at) const {
  if (phase(at).state == LinkPhase::State::kUp) return at;
  for (const LinkPhase& later : phases_) {
    if (later.at > at && later.state == LinkPhase::State::kUp) return later.at;
  }
  return TimePoint::max() - 1h;  // never
}

Duration VirtualLink::silence_of_peer() const {
  const TimePoint now = agenda_.now();
  if (phase(now).state == LinkPhase::State::kUp) return {};
  std::optional<TimePoint> fell_silent;
  for (const LinkPhase& phase : phases_) {
    if (phase.at > now) break;
    const bool up = phase.state == LinkPhase::State::kUp;
    fell_silent = up ? std::nullopt : std::optional{fell_silent.value_or(phase.at)};
  }
  return now - *fell_silent;
}

std::unique_ptr<ByteStream> VirtualLink::connect() {
  auto connection = std::make_shared<Connection>();
  establish(connection, agenda_.now() + 4s);
  return std::make_unique<Stream>(*this, connection);
}

void VirtualLink::establish(const std::shared_ptr<Connection>& connection, TimePoint give_up) {
  if (phase(agenda_.now()).state == LinkPhase::State::kNoRoute) {
    connection->state = ByteStream::State::kFailed;
    connection->failure = {FailureReason::kNoRoute, "network is unreachable"};
    return;
  }
  const TimePoint passes = passes_at(agenda_.now());
  const Duration rtt = phase(passes).rtt;
  const TimePoint established = passes + rtt;
  agenda_.at(std::min(established, give_up), [connection, rtt, in_time = established <= give_up] {
    connection->round_trip = RoundTrip{rtt, rtt, 1};
    connection->state = in_time ? ByteStream::State::kConnected : ByteStream::State::kFailed;
    if (!in_time) connection->failure = {FailureReason::kConnectTimeout, "no answer"};
  });
}

void VirtualLink::arrives_at_origin(const std::shared_ptr<Connection>& connection, std::string bytes) {
  connection->asked += bytes;
  while (!connection->origin_is_done && !connection->released) {
    const auto end = connection->asked.find("\r\n\r\n");
    if (end == std::string::npos) return;
    const std::string head = connection->asked.substr(0, end + 4);
    connection->asked.erase(0, end + 4);
    reply(connection, origin_.answer(head, number_, owes_an_answer(*connection), agenda_.now()));
  }
}

void VirtualLink::reply(const std::shared_ptr<Connection>& connection, VirtualOrigin::Reply reply) {
  connection->origin_is_done = reply.then != VirtualOrigin::Reply::Then::kKeep || reply.trickles;
  if (reply.trickles)
    return trickle(connection, std::move(reply.bytes), std::max<std::size_t>(50, reply.bytes.size() / 1000));
  const Duration takes = reply.first_byte_after + reply.pause;
  const TimePoint begins = std::max(agenda_.now(), connection->free_at) + reply.first_byte_after;
  if (takes == Duration{} && connection->free_at <= agenda_.now()) return queue(connection, std::move(reply));
  connection->free_at = begins + reply.pause;
  const std::size_t middle = reply.pause > Duration{} ? reply.bytes.size() / 2 : 0;
  ++connection->being_made;
  if (middle > 0)
    agenda_.at(begins, [this, connection, half = reply.bytes.substr(0, middle)] { queue(connection, {half}); });
  reply.bytes.erase(0, middle);
  agenda_.at(connection->free_at, [this, connection, rest = std::move(reply)] {
    --connection->being_made;
    queue(connection, rest);
  });
}

bool VirtualLink::owes_an_answer(const Connection& connection) const {
  const auto is_of_it = [&](const Piece& piece) { return piece.connection.get() == &connection; };
  return connection.being_made > 0 || std::ranges::any_of(queue_, is_of_it);
}

void VirtualLink::queue(const std::shared_ptr<Connection>& connection, VirtualOrigin::Reply reply) {
  auto place = queue_.end();
  if (reply.overtakes) {
    const auto waits = [&](const Piece& piece) { return piece.connection == connection && piece.sent == 0; };
    place = std::ranges::find_if(queue_, waits);
  }
  queue_.insert(place, {connection, std::move(reply.bytes), 0, reply.then});
  transmit();
}

/// For less than ten minutes: who has no other link, and has to take whole files, can only wait.
void VirtualLink::trickle(const std::shared_ptr<Connection>& connection, std::string bytes, std::size_t piece) {
  if (connection->released || bytes.empty()) return;
  queue_.push_back({connection, bytes.substr(0, piece), 0, VirtualOrigin::Reply::Then::kKeep});
  transmit();
  bytes.erase(0, piece);
  agenda_.at(agenda_.now() + 500ms,
             [this, connection, piece, rest = std::move(bytes)] { trickle(connection, rest, piece); });
}

/// The next piece of what waits, as much of it as leaves in 20 ms.
void VirtualLink::transmit() {
  while (!queue_.empty() && queue_.front().connection->released) queue_.pop_front();
  if (transmitting_ || queue_.empty()) return;
  const TimePoint leaves = passes_at(agenda_.now());
  if (leaves > TimePoint::max() - 2h) return;
  transmitting_ = true;
  const LinkPhase& now = phase(leaves);
  Piece& piece = queue_.front();
  const auto most = static_cast<std::size_t>(std::clamp<std::int64_t>((now.rate * Duration{20ms}).bytes(), 10, 16'000));
  std::string bytes = piece.bytes.substr(piece.sent, most);
  piece.sent += bytes.size();
  const bool last = piece.sent == piece.bytes.size();
  const auto connection = piece.connection;
  const auto then = last ? piece.then : VirtualOrigin::Reply::Then::kKeep;
  if (last) queue_.pop_front();
  const TimePoint sent = leaves + DataSize{std::ssize(bytes)} / now.rate;
  agenda_.at(sent, [this] {
    transmitting_ = false;
    transmit();
  });
  const Duration lost = chance_.uniform() < now.loss ? now.rtt : Duration{};
  last_arrival_here_ = std::max(last_arrival_here_, sent + now.rtt / 2 + lost);
  under_way_.push_back({connection, std::move(bytes), then});
  agenda_.at(last_arrival_here_, [this] { arrives_here(); });
}

void VirtualLink::arrives_here() {
  const TimePoint passes = passes_at(agenda_.now());
  if (passes > agenda_.now())
    return agenda_.at(passes, [this] { arrives_here(); });  // it did not get through after all
  const auto [connection, bytes, then] = std::move(under_way_.front());
  under_way_.pop_front();
  connection->arrived += bytes;
  const Duration rtt = phase(agenda_.now()).rtt;
  connection->round_trip = RoundTrip{rtt, rtt, connection->round_trip->acknowledged + 1};
  if (then == VirtualOrigin::Reply::Then::kClose) connection->end = StreamStatus::kClosed;
  if (then == VirtualOrigin::Reply::Then::kReset) connection->end = StreamStatus::kReset;
}

}  // namespace tributary::testing
