#include "relay/split_relay.hh"

#include <algorithm>
#include <array>
#include <utility>

#include "bonding/wire/packet_header.hh"

namespace tributary {
namespace {

using bonding::ByteSpan, bonding::PeerAddress;

constexpr Duration kPatience = std::chrono::seconds{5}, kLookEvery = std::chrono::milliseconds{100};
constexpr std::size_t kFirstRecord = 64;  // is empty, and smaller than this

}  // namespace

SplitRelay::SplitRelay(Options options, const bonding::RelayEnd& relay, EventLoop& loop)
    : rule_{options.rule},
      destinations_{std::move(options.destinations)},
      relay_{relay},
      loop_{loop},
      listener_{options.listen, loop, [this](TcpSocket socket, TimePoint now) { take(std::move(socket), now); }},
      shares_{options.descriptors} {}

SplitRelay::~SplitRelay() {
  for (const Stranger& stranger : strangers_) loop_.forget(stranger.socket.file_descriptor());
}

void SplitRelay::take(TcpSocket socket, TimePoint now) {
  if (strangers_.size() == kMostStrangers) {
    if (!strangers_.front().done) loop_.forget(strangers_.front().socket.file_descriptor());
    strangers_.pop_front();
  }
  Stranger& stranger = strangers_.emplace_back(Stranger{.socket = std::move(socket), .until = now + kPatience});
  loop_.watch(stranger.socket.file_descriptor(), [this, &stranger](TimePoint) { hear(stranger); });
}

void SplitRelay::hear(Stranger& stranger) {
  if (stranger.done) return;
  std::array<std::byte, 2'000> bytes;
  const TcpSocket::Read read = stranger.socket.read(bytes);
  stranger.came.add(read.bytes);
  if (const auto sealed = stranger.came.take()) {
    stranger.done = true;
    loop_.forget(stranger.socket.file_descriptor());
    if (!is_known(stranger, *sealed)) stranger.socket.will_break_off();
    return;
  }
  const bool enough = stranger.came.size() > kFirstRecord;
  if (!enough && read.state == TcpSocket::State::kOpen) return;
  stranger.done = true;
  loop_.forget(stranger.socket.file_descriptor());
}

/// True: it is a client, whose carrier has the socket now.
bool SplitRelay::is_known(Stranger& stranger, ByteSpan sealed) {
  const auto header = bonding::read_header(sealed);
  const bonding::Connection* const connection = header ? relay_.connection(header->connection) : nullptr;
  if (connection == nullptr || !connection->paths().contains(header->path)) return false;
  const auto found = carriers_.find(connection->id());
  if (found != carriers_.end()) return found->second->accept(header->path, stranger.socket, sealed, stranger.came);
  auto carrier = make_carrier(*connection);
  if (!carrier->accept(header->path, stranger.socket, sealed, stranger.came)) return false;
  carriers_.emplace(connection->id(), std::move(carrier));
  return true;
}

std::unique_ptr<SplitCarrier> SplitRelay::make_carrier(const bonding::Connection& connection) {
  return std::make_unique<SplitCarrier>(
      SplitCarrier::Options{
          .role = bonding::SplitRole::kRelay,
          .rule = rule_,
          .connection = connection.id(),
          .keys = connection.keys(),
          .connect = [this, client = connection.id()](const PeerAddress& to) { return connect(client, to); }},
      loop_);
}

std::optional<TcpSocket> SplitRelay::connect(bonding::ConnectionId client, const PeerAddress& to) const {
  std::size_t own = 0, all = 0;
  for (const auto& [id, carrier] : carriers_) {
    all += carrier->connections();
    if (id == client) own = carrier->connections();
  }
  if (!shares_.allow(own, all) || !destinations_.allows(to)) return std::nullopt;
  return TcpSocket::connecting_to(to, {.mark = kMark});
}

/// A path that is silent by datagrams brings nothing by TCP either, and that would take minutes to tell.
void SplitRelay::look_at_paths() {
  for (auto carrier = carriers_.begin(); carrier != carriers_.end();) {
    const bonding::Connection* const connection = relay_.connection(carrier->first);
    if (connection == nullptr) {
      carrier = carriers_.erase(carrier);
      continue;
    }
    for (const auto& [id, path] : connection->paths()) {
      if (!path.is_alive()) carrier->second->detach(id);
    }
    carrier->second->look();
    ++carrier;
  }
}

std::optional<TimePoint> SplitRelay::work(TimePoint now) {
  if (now >= look_at_) {
    look_at_paths();
    look_at_ = now + kLookEvery;
  }
  for (auto stranger = strangers_.begin(); stranger != strangers_.end();) {
    if (!stranger->done && now >= stranger->until) {
      loop_.forget(stranger->socket.file_descriptor());
      stranger->done = true;
    }
    stranger = stranger->done ? strangers_.erase(stranger) : std::next(stranger);
  }
  for (const auto& [id, carrier] : carriers_) carrier->work();
  const auto rests_until = listener_.work(now);
  if (carriers_.empty() && strangers_.empty()) return rests_until;
  return std::min(look_at_, rests_until.value_or(look_at_));
}

}  // namespace tributary
