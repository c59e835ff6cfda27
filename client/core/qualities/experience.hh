#pragma once

#include <span>
#include <string>
#include <vector>

#include "presentation/segment_table.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A measure of the quality of experience of what was played, which a rule of adaptation maximises and a summary states:
///   sum of q  -  change * sum of |q - q before|  -  stall * stall time in s
/// with q of the quality's average bitrate b.
struct Experience {
  enum class Worth {
    kBitrate,    // q = b in Mbit/s
    kLogarithm,  // q = ln(b / the lowest b)
  };
  Worth worth = Worth::kBitrate;
  double change = 1;
  double stall = 1;
  bool stall_is_of_highest = true;  // a second costs `stall` times the highest quality's q; else `stall`

  /// By name, or as `bitrate:CHANGE:STALL` or `log:CHANGE:STALL`, with STALL in units of the highest quality's q.
  ///   yin2015, yin2015-few-changes, yin2015-few-stalls: Yin et al., SIGCOMM 2015, section 7.1, "balanced", "avoid
  ///     instability" and "avoid rebuffering", whose mu of 3000 and 6000 are once and twice the highest bitrate there;
  ///   mao2017-log: Mao et al., SIGCOMM 2017, table 1.
  /// Throws std::invalid_argument that names what is known.
  static Experience read(const std::string& text);
  /// All names, for people.
  static std::string names();

  /// q of each quality, from the lowest on.
  std::vector<double> worths(const SegmentTable& table) const;
  /// Taken off for each second of standstill.
  double stall_cost(const SegmentTable& table) const;
  /// The experience of a session that played segments of these qualities, in this order.
  double of(std::span<const QualityIndex> played, Duration stalled, const SegmentTable& table) const;
};

}  // namespace tributary
