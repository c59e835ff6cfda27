#include "worlds/sequential_world.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

constexpr DataSize kPacket{1500};
constexpr Duration kLookEvery = std::chrono::milliseconds{50};

double bits_of(DataSize size) { return static_cast<double>(size.bytes()) * 8; }

}  // namespace

SequentialResult SequentialWorld::play(const SegmentTable& table, QualityAdaptation& rule, Abandonment abandonment) {
  now_ = {};
  period_ = 0;
  left_ = trace_.front().duration;
  SequentialResult result;
  std::optional<DataRate> throughput;
  Duration level{}, startup{}, played{};
  double bits = 0;
  Duration rebuffer{};  // for the present segment
  for (std::size_t i = 0; i < table.segment_count();) {
    const auto index = static_cast<SegmentIndex>(i);
    const Duration duration = table.duration(index);
    const Duration too_much = std::max(level + duration - max_buffer_, Duration::zero());
    wait(too_much);
    level -= too_much;

    AdaptationInput input;
    input.segment = index;
    input.first = i == 0;
    input.throughput = throughput;
    input.buffered = level;
    input.capacity = max_buffer_;
    SequentialSegment segment{rule.choose(input, table).quality, now_, {}, level, {}};
    const DataSize size = table.size(index, segment.quality);
    wait(latency_);
    const TimePoint first_byte = now_;
    bool complete = true;
    if (i == 0 || abandonment == Abandonment::kNever) {
      transfer(bits_of(size), bits_of(size), {});
    } else {
      complete = receive({index, segment.quality, size, {}, latency_, latency_, level}, table, rule);
    }
    segment.complete = now_;

    const Duration took = segment.complete - segment.requested;
    const Duration stood_still = i == 0 ? Duration::zero() : std::max(took - level, Duration::zero());
    if (i == 0) startup = took;
    if (stood_still > Duration::zero() && level > Duration::zero()) ++result.rebuffer_events;
    rebuffer += stood_still;
    level = std::max(level - took, Duration::zero());
    if (!complete) {
      ++result.abandoned;
      continue;
    }
    throughput = size / (now_ - first_byte);
    rule.measured({size, now_ - first_byte, latency_});
    segment.rebuffer = std::exchange(rebuffer, {});
    result.rebuffer += segment.rebuffer;
    level += duration;
    played += duration;
    bits += table.bitrate(segment.quality).bits_per_second() * to_seconds(duration);
    result.segments.push_back(segment);
    ++i;
  }
  result.mean_bitrate = DataRate::bits_per_second(bits / to_seconds(startup + played + result.rebuffer));
  return result;
}

/// Receives a segment; false if the rule abandoned it.
bool SequentialWorld::receive(SegmentProgress progress, const SegmentTable& table, QualityAdaptation& rule) {
  const TimePoint requested = now_ - progress.elapsed;
  const Duration level = progress.level;
  const double bits = bits_of(progress.size);
  double received = 0;
  Duration not_before = kLookEvery - progress.elapsed;
  while (true) {
    received += transfer(bits - received, bits_of(kPacket), not_before);
    if (received >= bits) return true;
    progress.received = DataSize{static_cast<std::int64_t>(received / 8)};
    progress.elapsed = now_ - requested;
    progress.level = std::max(level - progress.elapsed, Duration::zero());
    if (rule.abandons(progress, table)) return false;
    not_before = kLookEvery;
  }
}

void SequentialWorld::wait(Duration time) {
  while (time > left_) {
    time -= left_;
    next_period();
  }
  left_ -= time;
  now_ += time;
}

/// Carries at least `at_least` of these bits, and for at least `at_least_for`, unless all bits are carried before.
/// Returns the number of carried bits.
double SequentialWorld::transfer(double bits, double at_least, Duration at_least_for) {
  double carried = 0;
  while (true) {
    const double rate = trace_[period_].rate.bits_per_second();
    const double in_period = rate * to_seconds(left_);
    const double wanted = std::min(bits - carried, std::max(at_least - carried, rate * to_seconds(at_least_for)));
    const bool idle = rate == 0 && carried >= at_least;  // only time is wanted
    if (idle ? at_least_for <= left_ : rate > 0 && wanted <= in_period) {
      wait(idle ? at_least_for : std::min(from_seconds(wanted / rate), left_));
      return carried + wanted;
    }
    carried += in_period;
    at_least_for = std::max(at_least_for - left_, Duration::zero());
    next_period();
  }
}

/// Passes the rest of this period.
void SequentialWorld::next_period() {
  now_ += left_;
  period_ = (period_ + 1) % trace_.size();
  left_ = trace_[period_].duration;
}

}  // namespace tributary
