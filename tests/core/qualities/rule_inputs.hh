#pragma once

#include "core/qualities/quality_adaptation.hh"
#include "support/tables.hh"

namespace tributary::testing {

/// Four qualities of two-second segments: 400, 800, 1600 and 3200 kbit/s.
inline const SegmentTable& doubling_table() {
  static const SegmentTable kTable =
      constant_table(10, {DataSize{100'000}, DataSize{200'000}, DataSize{400'000}, DataSize{800'000}});
  return kTable;
}

inline constexpr QualityIndex kLow{0}, kMedium{1}, kHigh{2}, kSuper{3};

/// Segment 3, with so much media ready to play. The buffer holds 26 s: a request finds room up to 24 s.
inline AdaptationInput at_level(Duration level) {
  AdaptationInput input;
  input.segment = SegmentIndex{3};
  input.buffered = level;
  input.capacity = std::chrono::seconds{26};
  return input;
}

/// Segment 3 of ten; a segment plays, and two more fit into the buffer.
inline AdaptationInput two_ahead(DataRate rate) {
  AdaptationInput input;
  input.segment = SegmentIndex{3};
  input.throughput = rate;
  input.time_left_playout = std::chrono::seconds{2};
  input.buffered = std::chrono::seconds{2};
  input.capacity = std::chrono::seconds{6};
  return input;
}

inline SegmentMeasurement carried(DataRate rate, Duration duration) { return {rate * duration, duration, {}}; }

/// Of segment 3 in the highest quality, 800 kB, after this time, of which 100 ms were spent waiting.
inline SegmentProgress on_its_way(DataSize received, Duration elapsed, Duration level) {
  return {SegmentIndex{3}, kSuper, DataSize{800'000}, received, elapsed, std::chrono::milliseconds{100}, level};
}

}  // namespace tributary::testing
