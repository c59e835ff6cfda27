#pragma once

#include <vector>

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

struct RatePeriod {
  Duration duration{};
  DataRate rate;
};

/// The history of a segment.
struct SequentialSegment {
  QualityIndex quality{};
  TimePoint requested, complete;
  Duration level{};     // of the buffer, at the request
  Duration rebuffer{};  // during its transfer, including abandoned ones
};

struct SequentialResult {
  std::vector<SequentialSegment> segments;
  Duration rebuffer{};
  std::size_t rebuffer_events = 0;
  std::size_t abandoned = 0;  // number of requests
  DataRate mean_bitrate;      // stated by the presentation, averaged over start-up, playout and rebuffering
};

/// One link and one request at a time. The conventions are those of sabre (Spiteri et al., MMSys 2018), so that our
/// rules can be compared with published numbers.
///
/// The trace begins again at its end. A request is made as soon as its segment fits in the buffer. The request waits
/// for the latency; then its segment is transferred at the rate of the trace. The measurement leaves the latency out.
///
/// Playout begins with segment 0 and resumes with each segment. Time counts as rebuffering only during a transfer, and
/// as an event only if playout ran when the request was made. If abandonment is allowed, the rule is asked about each
/// segment but the first, whenever another packet has come and 50 ms have passed.
class SequentialWorld {
 public:
  enum class Abandonment { kNever, kAllowed };

  /// Some rate of the trace must be positive.
  SequentialWorld(std::vector<RatePeriod> trace, Duration latency, Duration max_buffer)
      : trace_{std::move(trace)}, latency_{latency}, max_buffer_{max_buffer} {}

  /// Plays all segments, from the beginning of the trace.
  SequentialResult play(const SegmentTable& table, QualityAdaptation& rule,
                        Abandonment abandonment = Abandonment::kNever);

 private:
  bool receive(SegmentProgress progress, const SegmentTable& table, QualityAdaptation& rule);
  void wait(Duration time);
  double transfer(double bits, double at_least, Duration at_least_for);
  void next_period();

  std::vector<RatePeriod> trace_;
  Duration latency_, max_buffer_;
  TimePoint now_;
  std::size_t period_ = 0;
  Duration left_{};  // of the period
};

}  // namespace tributary
