#include "bonding/ordering/bounded_resequencer.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kSilent = 1s;  // what a path brought before that says nothing of its delay now

}  // namespace

std::vector<Bytes> BoundedResequencer::path_left(PathId path, TimePoint now) {
  paths_.erase(path);
  std::vector<Bytes> released;
  release_due(now, released);
  return released;
}

std::vector<Bytes> BoundedResequencer::arrived(ArrivedPacket packet, TimePoint now) {
  Path& path = paths_[packet.path];
  path.delay.arrived(packet.sent_at, now);
  path.highest = std::max(path.highest.value_or(packet.sequence), packet.sequence);
  path.heard_at = now;
  std::vector<Bytes> released;
  if (packet.sequence < expected_) {
    released.push_back(std::move(packet.packet));
    return released;
  }
  const TimePoint release_at = release_time(packet, now);
  held_bytes_ += size_of(packet.packet);
  held_.emplace(packet.sequence, Held{std::move(packet.packet), release_at});
  release_due(now, released);
  return released;
}

std::optional<TimePoint> BoundedResequencer::next_deadline() const {
  // Whatever goes takes along all before it.
  std::optional<TimePoint> first;
  for (const auto& [sequence, held] : held_) first = std::min(first.value_or(held.release_at), held.release_at);
  return first;
}

std::vector<Bytes> BoundedResequencer::wake(TimePoint now) {
  std::vector<Bytes> released;
  release_due(now, released);
  return released;
}

/// The packet has taken `taken` on its own path. Others have what the slowest path takes beyond that.
TimePoint BoundedResequencer::release_time(const ArrivedPacket& packet, TimePoint now) const {
  const Duration taken = sent_time(now) - packet.sent_at;
  Duration wait{};
  for (const auto& [id, path] : paths_) {
    const auto bound = path.delay.bound();
    if (bound && now - path.heard_at < kSilent) wait = std::max(wait, *bound - taken);
  }
  return now + std::min(wait, kLongestWait);
}

GlobalSequence BoundedResequencer::covered_end(TimePoint now) const {
  std::optional<GlobalSequence> end;
  for (const auto& [id, path] : paths_) {
    if (now - path.heard_at >= kSilent || !path.highest) continue;
    end = std::min(end.value_or(next(*path.highest)), next(*path.highest));
  }
  return end.value_or(GlobalSequence{});
}

void BoundedResequencer::release_front(std::vector<Bytes>& released) {
  const auto front = held_.begin();
  expected_ = next(front->first);
  held_bytes_ -= size_of(front->second.packet);
  released.push_back(std::move(front->second.packet));
  held_.erase(front);
}

void BoundedResequencer::release_due(TimePoint now, std::vector<Bytes>& released) {
  GlobalSequence end = covered_end(now);
  for (const auto& [sequence, held] : held_) {
    if (held.release_at <= now) end = std::max(end, next(sequence));
  }
  while (!held_.empty() &&
         (held_.begin()->first < end || held_.begin()->first == expected_ || held_bytes_ > kMostHeld)) {
    release_front(released);
  }
}

}  // namespace tributary::bonding
