#include "bonding/ordering/thesis_resequencer.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kUnknownTimeOut = 1s;  // RFC 6298 section 2, before the first sample
constexpr int kExpiriesForAll = 3;

}  // namespace

void ThesisResequencer::path_joined(PathId path) { paths_.try_emplace(path); }

std::vector<Bytes> ThesisResequencer::path_left(PathId path, TimePoint now) {
  paths_.erase(path);
  std::vector<Bytes> released;
  release_below(covered_end(), released);
  if (!released.empty()) restart_timer(now);
  return released;
}

void ThesisResequencer::one_way_delay(PathId path, Duration delay) {
  const auto found = paths_.find(path);
  if (found != paths_.end()) found->second.delay.sample(delay);
}

std::vector<Bytes> ThesisResequencer::arrived(ArrivedPacket packet, TimePoint now) {
  std::optional<GlobalSequence>& highest = paths_[packet.path].highest;
  highest = std::max(highest.value_or(packet.sequence), packet.sequence);
  std::vector<Bytes> released;
  if (packet.sequence < expected_) {
    released.push_back(std::move(packet.packet));
    return released;
  }
  held_bytes_ += size_of(packet.packet);
  held_.emplace(packet.sequence, std::move(packet.packet));
  const bool in_order = packet.sequence == expected_;
  release_below(covered_end(), released);
  release_in_order(released);
  if (in_order || !released.empty()) {
    expired_ = 0;
    restart_timer(now);
  } else if (!expires_) {
    restart_timer(now);
  }
  return released;
}

std::vector<Bytes> ThesisResequencer::wake(TimePoint now) {
  std::vector<Bytes> released;
  if (!expires_ || now < *expires_) return released;
  if (++expired_ < kExpiriesForAll) {
    release_front(released);
  } else {
    while (!held_.empty()) release_front(released);
    expired_ = 0;
  }
  restart_timer(now);
  return released;
}

Duration ThesisResequencer::time_out() const {
  std::optional<Duration> longest;
  for (const auto& [id, path] : paths_) {
    if (const auto time_out = path.delay.time_out()) longest = std::max(longest.value_or(*time_out), *time_out);
  }
  return longest.value_or(kUnknownTimeOut);
}

GlobalSequence ThesisResequencer::covered_end() const {
  std::optional<GlobalSequence> end;
  for (const auto& [id, path] : paths_) {
    if (!path.highest) return {};
    end = std::min(end.value_or(next(*path.highest)), next(*path.highest));
  }
  return end.value_or(GlobalSequence{});
}

void ThesisResequencer::release_front(std::vector<Bytes>& released) {
  const auto front = held_.begin();
  expected_ = next(front->first);
  held_bytes_ -= size_of(front->second);
  released.push_back(std::move(front->second));
  held_.erase(front);
}

void ThesisResequencer::release_below(GlobalSequence end, std::vector<Bytes>& released) {
  while (!held_.empty() && held_.begin()->first < end) release_front(released);
  expected_ = std::max(expected_, end);
}

void ThesisResequencer::release_in_order(std::vector<Bytes>& released) {
  while (!held_.empty() && held_.begin()->first == expected_) release_front(released);
}

void ThesisResequencer::restart_timer(TimePoint now) {
  expires_ = held_.empty() ? std::nullopt : std::optional{now + time_out()};
}

}  // namespace tributary::bonding
