#include "netlab/link_shaper.hh"

#include <algorithm>
#include <utility>

namespace tributary {

void LinkShaper::change(const LinkCondition& condition, TimePoint now) {
  advance(now);
  if (!queue_.empty()) {
    bits_left_ -= condition_.rate.bits_per_second() * to_seconds(now - sending_since_);
    sending_since_ = now;
  }
  condition_ = condition;
  if (!condition_.up) drop_everything();
}

void LinkShaper::enqueue(Frame frame, TimePoint now) {
  advance(now);
  if (!condition_.up) {
    ++counters_.dropped_down;
  } else if (!queue_.empty() && waiting() >= static_cast<std::size_t>(condition_.queue_packets)) {
    ++counters_.dropped_queue;
  } else {
    queue_.push_back(std::move(frame));
    if (queue_.size() == 1) begin_sending(now);
  }
}

std::vector<Frame> LinkShaper::take_arrived(TimePoint now) {
  advance(now);
  std::vector<Frame> arrived;
  while (!travelling_.empty() && travelling_.front().arrival <= now) {
    Frame& frame = travelling_.front().frame;
    ++counters_.frames;
    counters_.bytes += frame.size();
    arrived.push_back(std::move(frame));
    travelling_.pop_front();
  }
  return arrived;
}

std::optional<TimePoint> LinkShaper::next_deadline() const {
  if (!travelling_.empty()) return travelling_.front().arrival;
  const std::optional<TimePoint> end = end_of_sending();
  if (!end) return std::nullopt;
  return *end + condition_.rtt / 2;  // jitter can only add to this
}

/// Lets every frame depart that is sent completely by now. Sending of each begins when that of the one before ended.
void LinkShaper::advance(TimePoint now) {
  for (auto end = end_of_sending(); end && *end <= now; end = end_of_sending()) {
    Frame frame = std::move(queue_.front());
    queue_.pop_front();
    depart(std::move(frame), *end);
    if (!queue_.empty()) begin_sending(*end);
  }
}

void LinkShaper::begin_sending(TimePoint now) {
  bits_left_ = 8 * static_cast<double>(queue_.front().size().bytes());
  sending_since_ = now;
}

std::optional<TimePoint> LinkShaper::end_of_sending() const {
  if (queue_.empty() || condition_.rate <= DataRate{}) return std::nullopt;
  return sending_since_ + from_seconds(std::max(bits_left_, 0.0) / condition_.rate.bits_per_second());
}

void LinkShaper::depart(Frame frame, TimePoint now) {
  if (condition_.loss > 0 && random_.uniform() < condition_.loss) {
    ++counters_.dropped_loss;
    return;
  }
  Duration delay = condition_.rtt / 2;
  if (condition_.jitter > Duration{}) delay += from_seconds(to_seconds(condition_.jitter) * random_.uniform());
  last_arrival_ = std::max(last_arrival_, now + delay);
  travelling_.push_back({std::move(frame), last_arrival_});
}

void LinkShaper::drop_everything() {
  counters_.dropped_down += queue_.size() + travelling_.size();
  queue_.clear();
  travelling_.clear();
  last_arrival_ = TimePoint{};
}

}  // namespace tributary
