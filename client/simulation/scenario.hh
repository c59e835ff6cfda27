#pragma once

#include <cstdint>
#include <limits>
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
  DataRate rate;
  Duration rtt{};
  Duration
      jitter{};  // added to the one-way delay from the origin: uniform from 0 to this, packets stay in order
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

/// One link over time. changes is sorted by time, and its first entry is at the start. With a period, it
/// starts again after that time (a trace that loops).
struct LinkScenario {
  std::string name;
  std::vector<LinkChange> changes;
  std::optional<Duration> period;

  const LinkCondition& at(TimePoint time) const;
  /// The first moment after `time` at which the condition changes.
  std::optional<TimePoint> next_change(TimePoint time) const;
};

/// The links of an experiment, for the simulator and the emulator alike.
///
///   scenario   := link (";" link)*                      a new line does as well as ";", "#" starts a comment
///   link       := NAME RATE RTT ("," clause)*
///   clause     := "down" T ".." [T]                      no connectivity in this time (to the end, without
///   the second)
///               | "joins" T                              appears only then
///               | "at" T (RATE | "rtt" D | "loss" P)     changes from then on
///               | "queue" N | "loss" P | "jitter" D
///               | "trace" FILE ["x" FACTOR]              rate over time, looped: Mahimahi's format
///               (milliseconds, one
///                                                        1500-byte packet a line) or CSV "time_s,kbit_s";
///                                                        RATE is "-"
///   or         := "dynamics" [TOTAL] SEED                the thesis' emulated dynamics (section 4.3.1): two
///   links whose sum
///                                                        is 3 Mbit/s (TOTAL); every 2 to 10 s new rates of
///                                                        0.5 to 2.5
///
///   wifi 16Mbps 20ms; lte 8Mbps 60ms, down 10s..12s
///
/// Throws std::invalid_argument that quotes the offending words.
std::vector<LinkScenario> parse_scenario(std::string_view text);

/// The thesis' emulated dynamics: the same seed gives the same links on every machine. Covers one hour, then
/// loops.
std::vector<LinkScenario> thesis_dynamics(std::uint64_t seed, DataRate total);

}  // namespace tributary
