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

/// How much longer a packet was on its way than the first of all. The difference between the sender's clock and ours cancels out.
Duration BoundedResequencer::taken(SentTime sent_at, TimePoint now) {
  if (!first_taken_) first_taken_ = sent_time(now) - sent_at;
  return sent_time(now - *first_taken_) - sent_at;
}

void BoundedResequencer::came(PathId path, SentTime sent_at, TimePoint now) {
  paths_[path].delay.sample(taken(sent_at, now), now);
}

bool BoundedResequencer::is_used(const Path& path, TimePoint now) const {
  return path.used_at && now - *path.used_at < kSilent;
}

/// Between two packets of a path that has lost none, a number is missing that the other used paths are beyond: it is on its
/// way over one that seemed unused.
void BoundedResequencer::look_for_used_paths(const ArrivedPacket& packet, TimePoint now) {
  const Path& own = paths_[packet.path];
  if (!packet.follows || !own.highest) return;
  GlobalSequence missing = std::max(expected_, next(*own.highest));
  while (missing < packet.sequence && held_.contains(missing)) missing = next(missing);
  if (missing >= packet.sequence) return;
  for (const auto& [id, path] : paths_) {
    if (&path != &own && is_used(path, now) && (!path.highest || *path.highest < missing)) return;
  }
  for (auto& [id, path] : paths_) {
    if (&path != &own) path.used_at = now;
  }
}

std::vector<Bytes> BoundedResequencer::arrived(ArrivedPacket packet, TimePoint now) {
  look_for_used_paths(packet, now);
  Path& path = paths_[packet.path];
  path.highest = std::max(path.highest.value_or(packet.sequence), packet.sequence);
  path.used_at = now;
  std::vector<Bytes> released;
  if (packet.sequence < expected_) {
    released.push_back(std::move(packet.packet));
    return released;
  }
  const Duration own = taken(packet.sent_at, now);
  held_bytes_ += size_of(packet.packet);
  held_.emplace(packet.sequence, Held{std::move(packet.packet), now - own, now});
  release_due(now, released);
  return released;
}

std::optional<TimePoint> BoundedResequencer::next_deadline() const {
  // Whatever goes takes along all before it.
  std::optional<TimePoint> first;
  for (const auto& [sequence, held] : held_) first = std::min(first.value_or(release_time(held)), release_time(held));
  return first;
}

std::vector<Bytes> BoundedResequencer::wake(TimePoint now) {
  std::vector<Bytes> released;
  release_due(now, released);
  return released;
}

void BoundedResequencer::look_at_delays(TimePoint now) {
  slowest_.reset();
  for (const auto& [id, path] : paths_) {
    const auto bound = path.delay.bound();
    if (bound && is_used(path, now)) slowest_ = std::max(slowest_.value_or(*bound), *bound);
  }
}

/// When those that left before it are there, by what is known now of the slowest path.
TimePoint BoundedResequencer::release_time(const Held& held) const {
  return std::min(slowest_ ? held.left_at + *slowest_ : held.came_at, held.came_at + kLongestWait);
}

GlobalSequence BoundedResequencer::covered_end(TimePoint now) const {
  std::optional<GlobalSequence> end;
  for (const auto& [id, path] : paths_) {
    if (!is_used(path, now)) continue;
    const GlobalSequence own = path.highest ? next(*path.highest) : GlobalSequence{};
    end = std::min(end.value_or(own), own);
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
  look_at_delays(now);
  GlobalSequence end = covered_end(now);
  for (const auto& [sequence, held] : held_) {
    if (release_time(held) <= now) end = std::max(end, next(sequence));
  }
  while (!held_.empty() &&
         (held_.begin()->first < end || held_.begin()->first == expected_ || held_bytes_ > kMostHeld)) {
    release_front(released);
  }
}

}  // namespace tributary::bonding
