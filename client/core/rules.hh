#pragma once

#include <string>

namespace tributary {

/// Which of our own rules hold. Each can be left out, to see what it is good for (docs/evaluation.md).
struct Rules {
  bool rescue = true;     // what a link owes that may be dead is brought by another (rescue.hh)
  bool take_over = true;  // the end of what comes late, too (take_over.hh)
  bool sizing = true;     // all links end a segment together (balanced_subsegments.hh); else all ranges are alike
  bool several_segments = true;  // a segment is begun while others are on their way
  bool lasting_rise = true;      // a quality counts on a rate that rises when it has lasted (BusyRate)
  bool spread = true;            // planned: how wrong forecasts were
  bool look_ahead = true;        // planned: the segments after this one
  bool switch_bound = true;      // planned: changes of quality cost something
  bool lowering = true;          // planned: what comes too late is asked for in a lower quality

  /// All but those that are named, with commas between them: rescue, take-over, sizing, several-segments, lasting-rise, spread,
  /// look-ahead, switch-bound, lowering. Throws std::invalid_argument that lists them.
  static Rules without(const std::string& names);
};

}  // namespace tributary
