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

SplitRelay::SplitRelay(const PeerAddress& listen, bonding::SplitRule rule, SplitDestinations destinations,
                       const bonding::RelayEnd& relay, EventLoop& loop)
    : rule_{rule},
      destinations_{std::move(destinations)},
      relay_{relay},
      loop_{loop},
      listener_{TcpSocket::listening_at(listen)} {
  loop_.watch(listener_.file_descriptor(), [this](TimePoint now) { accept(now); });
}

SplitRelay::~SplitRelay() {
  for (const Stranger& stranger : strangers_) loop_.forget(stranger.socket.file_descriptor());
  loop_.forget(listener_.file_descriptor());
}

void SplitRelay::accept(TimePoint now) {
  while (auto socket = listener_.accept()) {
    if (strangers_.size() == kMostStrangers) {
      loop_.forget(strangers_.front().socket.file_descriptor());
      strangers_.pop_front();
    }
    Stranger& stranger = strangers_.emplace_back(Stranger{.socket = *std::move(socket), .until = now + kPatience});
    loop_.watch(stranger.socket.file_descriptor(), [this, &stranger](TimePoint) { hear(stranger); });
  }
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
      SplitCarrier::Options{.role = bonding::SplitRole::kRelay,
                            .rule = rule_,
                            .connection = connection.id(),
                            .keys = connection.keys(),
                            .connect = [this](const PeerAddress& to) { return connect(to); }},
      loop_);
}

std::optional<TcpSocket> SplitRelay::connect(const PeerAddress& to) const {
  return destinations_.allows(to) ? TcpSocket::connecting_to(to, {.mark = kMark}) : std::nullopt;
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
  return carriers_.empty() && strangers_.empty() ? std::nullopt : std::optional{look_at_};
}

}  // namespace tributary
