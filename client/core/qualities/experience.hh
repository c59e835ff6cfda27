#pragma once

#include <span>
#include <string>
#include <vector>

#include "presentation/segments/segment_table.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A measure of the quality of experience of what was played, which a rule of adaptation maximises and a summary states:
///   sum of q  -  change * sum of |q - q before|  -  stall * stall time in s  -  start * start-up time in s
/// with q of the quality's average bitrate b.
struct Experience {
  enum class Worth {
    kBitrate,    // q = b in Mbit/s
    kLogarithm,  // q = ln(b / the lowest b)
  };
  Worth worth = Worth::kBitrate;
  double change = 1;
  double stall = 1;
  double start = 0.25;
  bool time_is_of_highest = true;  // a second costs `stall` or `start` times the highest quality's q; else just that
  /// `planned` keeps a margin against standstill beside that: for people who wait for a full buffer.
  bool margin = true;

  /// By name, or as `bitrate:CHANGE:STALL` or `log:CHANGE:STALL`, with STALL in units of the highest quality's q, and
  /// `:START` in the same units behind it if the start-up counts.
  ///   yin2015, yin2015-few-changes, yin2015-few-stalls: Yin et al., SIGCOMM 2015, section 7.1, "balanced", "avoid
  ///     instability" and "avoid rebuffering", whose mu and mu_s of 3000 and 6000 are once and twice the highest
  ///     bitrate there;
  ///   yin2015-patient: "balanced", but a second of start-up costs a quarter as much, and with a margin;
  ///   mao2017-lin, mao2017-log: Mao et al., SIGCOMM 2017, table 1; the start-up does not count.
  /// Throws std::invalid_argument that names what is known.
  static Experience read(const std::string& text);
  /// All names, for people.
  static std::string names();

  /// q of each quality, from the lowest on.
  std::vector<double> worths(const SegmentTable& table) const;
  /// Taken off for each second of standstill, or of start-up.
  double stall_cost(const SegmentTable& table) const { return stall * second(table); }
  double start_cost(const SegmentTable& table) const { return start * second(table); }
  /// The experience of a session that played segments of these qualities, in this order.
  double of(std::span<const QualityIndex> played, Duration started_in, Duration stalled,
            const SegmentTable& table) const;

 private:
  double second(const SegmentTable& table) const { return time_is_of_highest ? worths(table).back() : 1; }
};

}  // namespace tributary
