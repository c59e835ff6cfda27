#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The properties of a link at one moment. Queue and loss are those of the direction from the origin; the emulator
/// applies them to both directions.
struct LinkCondition {
  DataRate rate;           // 0: the link is up, but nothing leaves its queue
  Duration rtt{};          // without serialisation and queueing; half of it in each direction
  Duration jitter{};       // uniform from 0 to this, added to the one-way delay from the origin; packets stay in order
  double loss = 0;         // fraction of packets
  int queue_packets = 64;  // drop-tail
  bool up = true;

  bool operator==(const LinkCondition&) const = default;
};

/// The condition of a link from this moment on.
struct LinkChange {
  TimePoint at;
  LinkCondition condition;

  bool operator==(const LinkChange&) const = default;
};

/// One link over time. `changes` is sorted by time, its first entry is at the start, and neighbours differ. With a
/// period, the link starts again after that time (a trace that loops).
struct LinkScenario {
  std::string name;  // fit for a network interface: at most 15 characters
  std::vector<LinkChange> changes;
  std::optional<Duration> period;

  /// The condition that holds at `time`; before the start, the first condition.
  const LinkCondition& at(TimePoint time) const;
  /// The first moment after `time` at which the condition changes. Nothing if it never changes again.
  std::optional<TimePoint> next_change(TimePoint time) const;

  bool operator==(const LinkScenario&) const = default;
};

/// Answers questions about a scenario as LinkScenario does, but faster if one question is close to the one before.
class ScenarioCursor {
 public:
  /// The scenario must outlive the cursor, and not change.
  explicit ScenarioCursor(const LinkScenario& scenario) : scenario_{scenario} {}

  const LinkCondition& at(TimePoint time) {
    move_to(time);
    return *condition_;
  }
  /// The time of the next change; TimePoint::max() if there is none.
  TimePoint holds_until(TimePoint time) {
    move_to(time);
    return until_;
  }

 private:
  void move_to(TimePoint time) {
    if (from_ <= time && time < until_) return;
    condition_ = &scenario_.at(time);
    from_ = time;
    until_ = scenario_.next_change(time).value_or(TimePoint::max());
  }

  const LinkScenario& scenario_;
  const LinkCondition* condition_ = nullptr;  // holds between from_ and until_
  TimePoint from_;
  TimePoint until_ = TimePoint::min();
};

/// The links of an experiment, for the simulator and the emulator alike.
///
///   scenario   := link (";" link)*              a new line stands for ";"; "#" starts a comment
///   link       := NAME RATE RTT ("," clause)*   RATE is "-" if a trace gives it
///   clause     := setting
///               | "at" T setting                the setting holds from T on
///               | "down" T ".." [T]             no connectivity in this time; without the second T, to the end
///               | "joins" T                     no connectivity before T
///               | "trace" FILE ["x" FACTOR]     the rate over time (rate_trace.hh), looped; timed clauses must lie
///                                               within the trace and loop with it
///   setting    := RATE | "rtt" D | "jitter" D | "loss" P | "queue" N
///   or         := "dynamics" [TOTAL] SEED       the thesis' emulated dynamics (thesis_dynamics.hh)
///
///   wifi 16Mbps 20ms; lte 8Mbps 60ms, down 10s..12s
///
/// Throws std::invalid_argument that quotes the offending words.
std::vector<LinkScenario> parse_scenario(std::string_view text);

/// Changes one property of a condition. `name`: "rate", "rtt", "jitter", "loss" or "queue". Throws
/// std::invalid_argument that quotes the name or the value.
void apply_setting(LinkCondition& condition, std::string_view name, std::string_view value);

}  // namespace tributary
