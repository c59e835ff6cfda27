#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The rate from this moment on.
struct RateStep {
  TimePoint at;
  DataRate rate;

  bool operator==(const RateStep&) const = default;
};

/// A measured rate over time. The first step is at the start; the trace is over after `length`.
struct RateTrace {
  std::vector<RateStep> steps;
  Duration length{};

  bool operator==(const RateTrace&) const = default;
};

/// Reads the text of a trace, in one of two formats; a comma tells that it is CSV:
///   Mahimahi   one line for each opportunity to deliver 1500 bytes: its time in ms, in order; the last time is the
///              length. Becomes rates over intervals of 100 ms.
///   CSV        lines "time_s,kbit_s", from 0 s on; the last line marks the end, its rate is not used. A first line of
///              names is skipped.
/// Throws std::invalid_argument that names the line.
RateTrace parse_rate_trace(std::string_view text);

/// Reads a trace from a file. Throws std::invalid_argument that names the file.
RateTrace read_rate_trace(const std::string& path);

}  // namespace tributary
