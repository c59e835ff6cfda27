#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What a link is like at one moment. Queue and loss are those of the direction from the origin; the emulator
/// applies the same to both.
struct LinkCondition {
  DataRate rate;           // 0: the link is up, but nothing leaves its queue
  Duration rtt{};          // without serialisation and queueing; half of it in each direction
  Duration jitter{};       // added to the one-way delay from the origin: uniform from 0 to this, packets stay in order
  double loss = 0;         // fraction of packets
  int queue_packets = 64;  // drop-tail
  bool up = true;

  bool operator==(const LinkCondition&) const = default;
};

/// From this moment on, the link is like this.
struct LinkChange {
  TimePoint at;
  LinkCondition condition;

  bool operator==(const LinkChange&) const = default;
};

/// One link over time. changes is sorted by time, its first entry is at the start, and neighbours differ.
/// With a period, it starts again after that time (a trace that loops).
struct LinkScenario {
  std::string name;  // fit for a network interface: at most 15 characters
  std::vector<LinkChange> changes;
  std::optional<Duration> period;

  /// The condition that holds from `time` on. Before the start, that of the start.
  const LinkCondition& at(TimePoint time) const;
  /// The first moment after `time` at which the condition changes. Nothing when it stays as it is.
  std::optional<TimePoint> next_change(TimePoint time) const;

  bool operator==(const LinkScenario&) const = default;
};

/// Says of a scenario the same as the scenario itself, faster where one question is close to the one before.
class ScenarioCursor {
 public:
  /// The scenario must outlive it, and stay as it is.
  explicit ScenarioCursor(const LinkScenario& scenario) : scenario_{scenario} {}

  const LinkCondition& at(TimePoint time) {
    move_to(time);
    return *condition_;
  }
  /// When the next change is; TimePoint::max() if it stays as it is.
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
  const LinkCondition* condition_ = nullptr;  // from from_ until until_
  TimePoint from_;
  TimePoint until_ = TimePoint::min();
};

/// The links of an experiment, for the simulator and the emulator alike.
///
///   scenario   := link (";" link)*              a new line does as well as ";", "#" starts a comment
///   link       := NAME RATE RTT ("," clause)*   RATE is "-" when a trace gives it
///   clause     := setting
///               | "at" T setting                from then on
///               | "down" T ".." [T]             no connectivity in this time (to the end, without the
///               second) | "joins" T                     no connectivity before | "trace" FILE ["x" FACTOR]
///               the rate over time (rate_trace.hh), looped; timed clauses must
///                                               lie within the trace and loop with it
///   setting    := RATE | "rtt" D | "jitter" D | "loss" P | "queue" N
///   or         := "dynamics" [TOTAL] SEED       the thesis' emulated dynamics (thesis_dynamics.hh)
///
///   wifi 16Mbps 20ms; lte 8Mbps 60ms, down 10s..12s
///
/// Throws std::invalid_argument that quotes the offending words.
std::vector<LinkScenario> parse_scenario(std::string_view text);

/// Changes one property of a condition: name is "rate", "rtt", "jitter", "loss" or "queue". Throws
/// std::invalid_argument that quotes the name or the value.
void apply_setting(LinkCondition& condition, std::string_view name, std::string_view value);

}  // namespace tributary
