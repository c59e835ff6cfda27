#include "worlds/sequential_world.hh"

#include <algorithm>

namespace tributary {

SequentialResult SequentialWorld::play(const SegmentTable& table, QualityAdaptation& rule) {
  now_ = {};
  period_ = 0;
  left_ = trace_.front().duration;
  SequentialResult result;
  std::optional<DataRate> throughput;
  Duration level{}, startup{}, played{};
  double bits = 0;
  for (std::size_t i = 0; i < table.segment_count(); ++i) {
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
    transfer(size);
    segment.complete = now_;
    throughput = size / (now_ - first_byte);
    rule.measured({size, now_ - first_byte, latency_});

    const Duration took = segment.complete - segment.requested;
    if (i == 0) {
      startup = took;
    } else {
      segment.rebuffer = std::max(took - level, Duration::zero());
    }
    if (segment.rebuffer > Duration::zero()) ++result.rebuffer_events;
    result.rebuffer += segment.rebuffer;
    level = std::max(level - took, Duration::zero()) + duration;
    played += duration;
    bits += table.bitrate(segment.quality).bits_per_second() * to_seconds(duration);
    result.segments.push_back(segment);
  }
  result.mean_bitrate = DataRate::bits_per_second(bits / to_seconds(startup + played + result.rebuffer));
  return result;
}

void SequentialWorld::wait(Duration time) {
  while (time > left_) {
    time -= left_;
    next_period();
  }
  left_ -= time;
  now_ += time;
}

void SequentialWorld::transfer(DataSize size) {
  double bits = static_cast<double>(size.bytes()) * 8;
  while (bits > trace_[period_].rate.bits_per_second() * to_seconds(left_)) {
    bits -= trace_[period_].rate.bits_per_second() * to_seconds(left_);
    next_period();
  }
  wait(std::min(from_seconds(bits / trace_[period_].rate.bits_per_second()), left_));
}

/// The rest of this period passes.
void SequentialWorld::next_period() {
  now_ += left_;
  period_ = (period_ + 1) % trace_.size();
  left_ = trace_[period_].duration;
}

}  // namespace tributary
