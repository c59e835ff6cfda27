#pragma once

#include <cstdint>
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/terminal_lines.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// How far the work has come at one moment.
struct ProgressState {
  std::optional<std::uint64_t> pictures = 0;  // nothing: pictures are not counted
  Duration media{};                           // duration of these pictures
  std::optional<Duration> expected;           // duration that the input states
  std::uint64_t segment = 0;
  Duration elapsed{};
  std::uint64_t left_out = 0;                             // pictures that the encoders had no time for
  std::vector<std::pair<std::string, DataRate>> rates{};  // of each quality, so far
  std::string_view pass = {};                             // "pass 1 of 2": stands first
};

/// "45.6 %  segment 820  00:27:21/01:00:00  61 fps  2.0x  ETA 00:16:02". Without an expected duration, the line has
/// neither percentage nor ETA. At the end stand the rates of the qualities, "low 748k", and the number of pictures left
/// out, "left out 12", if there are any.
std::string progress_line(const ProgressState& state);

/// Shows people how the work goes on: on a terminal one line that is overwritten twice a second, elsewhere one line
/// every ten seconds, or nothing at all. For programs, prints one JSON object a line, every second and for each event.
class ProgressReport {
 public:
  enum class Mode { kPeople, kJson, kNone };

  ProgressReport(Mode mode, std::FILE* out) : mode_{mode}, out_{out}, lines_{out} {}
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;

  void update(const ProgressState& state);
  /// For programs only: the state at the end of the work, and events.
  void last(const ProgressState& state);
  void event(const nlohmann::ordered_json& event);
  /// For people only, a line of its own.
  void say(const std::string& text);
  /// An oddity of the input that does not hinder the work: a line of its own, or an event.
  void remark(const std::string& text);

 private:
  Mode mode_;
  std::FILE* out_;
  TerminalLines lines_;
  Duration last_{};
};

}  // namespace tributary::segmenter
