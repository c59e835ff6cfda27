#include "bonding/ordering/bounded_resequencer.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kSpeaksFor = 1s;  // after that, what a path brought says nothing of its delay

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
  return path.used_at && now - *path.used_at < kSpeaksFor;
}

/// Between two packets of a path that has lost none, a number is missing that the other used paths are beyond: it is on its
/// way over one that seemed unused.
void BoundedResequencer::look_for_used_paths(const ArrivedPacket& packet, TimePoint now) {
  const Path& own = paths_[packet.path];
  if (!packet.follows || !own.highest) return;
  GlobalSequence missing = std::max(expected_, next(*own.highest));
  for (; missing < packet.sequence && held_.contains(missing); missing = next(missing)) ++looked_at_;
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
  by_left_.emplace(now - own, packet.sequence);
  by_came_.emplace(now, packet.sequence);
  held_.emplace(packet.sequence, Held{std::move(packet.packet), now - own, now});
  release_due(now, released);
  return released;
}

/// By what is known now of the slowest path, those that left before a packet are there so long after it left.
std::optional<TimePoint> BoundedResequencer::next_deadline() const {
  if (held_.empty()) return std::nullopt;
  // Whatever goes takes along all before it.
  const TimePoint first_came = by_came_.begin()->first;
  if (!slowest_) return first_came;
  return std::min(by_left_.begin()->first + *slowest_, first_came + kLongestWait);
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

GlobalSequence BoundedResequencer::covered_end(TimePoint now) const {
  std::optional<GlobalSequence> end;
  for (const auto& [id, path] : paths_) {
    if (!is_used(path, now)) continue;
    const GlobalSequence own = path.highest ? next(*path.highest) : GlobalSequence{};
    end = std::min(end.value_or(own), own);
  }
  return end.value_or(GlobalSequence{});
}

/// Behind the last packet that is due. Those that are go from the order of their deadlines: they are released next.
GlobalSequence BoundedResequencer::due_end(TimePoint now) {
  GlobalSequence end{};
  const auto take = [&](auto& order, TimePoint until) {
    while (!order.empty() && order.begin()->first <= until) {
      ++looked_at_;
      end = std::max(end, next(order.begin()->second));
      order.erase(order.begin());
    }
  };
  if (slowest_) take(by_left_, now - *slowest_);
  take(by_came_, slowest_ ? now - kLongestWait : now);
  return end;
}

bool BoundedResequencer::holds_too_much() const {
  return held_bytes_ + static_cast<std::int64_t>(held_.size()) * kHeldOverhead > kMostHeld;
}

void BoundedResequencer::release_front(std::vector<Bytes>& released) {
  const auto front = held_.begin();
  ++looked_at_;
  expected_ = next(front->first);
  held_bytes_ -= size_of(front->second.packet);
  by_left_.erase({front->second.left_at, front->first});
  by_came_.erase({front->second.came_at, front->first});
  released.push_back(std::move(front->second.packet));
  held_.erase(front);
}

void BoundedResequencer::release_due(TimePoint now, std::vector<Bytes>& released) {
  look_at_delays(now);
  const GlobalSequence end = std::max(covered_end(now), due_end(now));
  while (!held_.empty() && (held_.begin()->first < end || held_.begin()->first == expected_ || holds_too_much())) {
    release_front(released);
  }
}

}  // namespace tributary::bonding
