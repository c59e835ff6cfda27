#pragma once

#include <string>

namespace tributary {

/// Which of our own rules hold. Each can be left out, to measure it (docs/algorithms/README.md).
struct Rules {
  bool rescue = true;     // another link brings the bytes of a link that may be dead (rescue.hh)
  bool take_over = true;  // and the end of late ranges (take_over.hh)
  bool sizing = true;     // all links end a segment together (balanced_subsegments.hh); else all ranges are alike
  bool several_segments = true;  // a segment is begun while others are on their way
  bool spread = true;            // planned: a margin by the errors of forecasts
  bool look_ahead = true;        // planned: the segments after this one
  bool switch_bound = true;      // planned: changes of quality cost something
  bool size_questions = true;    // sizes of later segments that nobody states are asked for (size_questions.hh)
  bool lowering = true;          // planned: late segments are asked for anew in a lower quality

  /// All rules except the named ones, which stand with commas between them. Throws std::invalid_argument that lists the
  /// names.
  static Rules without(const std::string& names);
  /// Of all, with commas between them.
  static std::string names();
};

}  // namespace tributary
