#include "bonding/outgoing_packets.hh"

#include <algorithm>
#include <utility>

#include "bonding/inner/inner_packet.hh"
#include "bonding/wire/sealing.hh"

namespace tributary::bonding {
namespace {

// What is older is not worth its bytes: whoever sent it has sent it again, or does without it.
constexpr Duration kOldest = std::chrono::seconds{1};
// Nobody gains by knowing the random numbers of a scheduler.
constexpr std::uint64_t kSeed = 1;

std::vector<PathView> views(const TunnelPaths& paths, DataSize datagram, TimePoint now) {
  std::vector<PathView> views;
  for (const auto& [id, path] : paths) {
    if (path.is_alive() && path.mtu.passes(datagram)) views.push_back(path.sender.view(datagram, now));
  }
  return views;
}

/// How much longer the slowest path takes than the fastest: as long as packets must be able to wait, or the slowest would
/// never be worth its delay.
Duration difference_of_delays(std::span<const PathView> paths) {
  std::optional<Duration> least, most;
  for (const PathView& path : paths) {
    if (!path.least_delay) continue;
    least = std::min(least.value_or(*path.least_delay), *path.least_delay);
    most = std::max(most.value_or(*path.least_delay), *path.least_delay);
  }
  return least ? (*most - *least) / 2 : Duration{};
}

}  // namespace

OutgoingPackets::OutgoingPackets(const BondingOptions& options)
    : kind_{scheduler_kind(options.scheduler)}, scheduler_{kind_.make(kSeed)} {}

void OutgoingPackets::add(Bytes packet, TimePoint now) {
  subflows_.came(subflow_of(packet), datagram_size(size_of(packet)), now);
  queue_.push(std::move(packet), now);
}

std::optional<OutgoingPackets::Decision> OutgoingPackets::next(const TunnelPaths& paths, TimePoint now) {
  next_try_.reset();
  while (const UnconfirmedPackets::Copy* copy = first_again()) {
    const auto path = choose(copy->packet, flow_of(copy->packet), paths, now);
    if (path) return take_again(*path);
    if (!refused_) return std::nullopt;
    unconfirmed_.settled(again_.front());
    ++dropped_;
  }
  while (const InnerQueue::Waiting* first = queue_.front(now)) {
    if (const auto path = choose(first->packet, first->flow, paths, now)) return take_new(*path, now);
    if (kind_.when_closed == WhenClosed::kWait) break;
    queue_.take();
    ++dropped_;
  }
  return std::nullopt;
}

std::optional<PathId> OutgoingPackets::choose(const Bytes& packet, Flow flow, const TunnelPaths& paths, TimePoint now) {
  const DataSize size = datagram_size(size_of(packet));
  const std::vector<SubflowRate> subflows = subflows_.at(now);
  const NextPacket next{size, flow, std::max(queue_.size(), size), subflow_of(packet), subflows};
  const std::vector<PathView> present = views(paths, size, now);
  queue_.may_wait(difference_of_delays(present));
  const auto path = scheduler_->choose(next, present, now);
  refused_ =
      !path && !present.empty() && std::ranges::all_of(present, [&](const auto& view) { return is_open(view, now); });
  if (path) {
    scheduler_->chosen(*path, next);
    return path;
  }
  for (const PathView& view : present) {
    if (view.opens_at && *view.opens_at > now) next_try_ = std::min(next_try_.value_or(*view.opens_at), *view.opens_at);
  }
  return std::nullopt;
}

/// Those that have arrived meanwhile are left out.
const UnconfirmedPackets::Copy* OutgoingPackets::first_again() {
  while (!again_.empty()) {
    if (const UnconfirmedPackets::Copy* copy = unconfirmed_.find(again_.front())) return copy;
    again_.pop_front();
  }
  return nullptr;
}

OutgoingPackets::Decision OutgoingPackets::take_again(PathId path) {
  const GlobalSequence sequence = again_.front();
  again_.pop_front();
  ++reinjected_;
  return {path, sequence, unconfirmed_.find(sequence)->packet};
}

OutgoingPackets::Decision OutgoingPackets::take_new(PathId path, TimePoint now) {
  InnerQueue::Waiting first = queue_.take();
  const GlobalSequence sequence = std::exchange(next_sequence_, tributary::next(next_sequence_));
  budget_.sent_once(size_of(first.packet));
  unconfirmed_.sent(sequence, first.packet, now);
  return {path, sequence, std::move(first.packet)};
}

void OutgoingPackets::arrived(std::span<const SentPacket> packets) {
  for (const SentPacket& packet : packets) {
    if (packet.inner) unconfirmed_.settled(*packet.inner);
  }
}

void OutgoingPackets::stranded(std::span<const SentPacket> packets, TimePoint now) {
  for (const SentPacket& packet : packets) {
    const UnconfirmedPackets::Copy* copy = packet.inner ? unconfirmed_.find(*packet.inner) : nullptr;
    if (copy == nullptr) continue;
    if (now - copy->first_sent_at <= kOldest && budget_.spend(size_of(copy->packet))) {
      again_.push_back(*packet.inner);
    } else {
      unconfirmed_.settled(*packet.inner);
    }
  }
}

}  // namespace tributary::bonding
