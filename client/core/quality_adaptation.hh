#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/rules.hh"
#include "presentation/segment_table.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// What is known when the quality of a segment is chosen.
struct AdaptationInput {
  SegmentIndex segment{};
  bool first = false;                  // of the session
  std::optional<DataRate> throughput;  // aggregate over the links that can be used
  Duration time_left_playout{};        // of the segment being played
  Duration buffered{};                 // complete segments that are not yet playing
  DataSize bytes_left;                 // requested (or to be requested again) and not yet received
  Duration under_way{};                // media of the segments that wait for those bytes
  Duration capacity{};                 // media that fits in the buffer, the segment being played included
  Duration next_publication{};         // live: until the segment after this one exists
  double spread = 0;                   // of the plan (ForecastErrors)
  bool begins_by_memory =
      false;  // nothing has played yet, and the first throughput was remembered: of the first segment, and
              // of those that playout does not wait for
};

/// Media that will be ready to play, what is left of the segment being played included, when the bytes that
/// come before this segment have come. Rules made for clients that request a segment when the one before it
/// is complete call this their buffer level.
Duration level_at_transfer(const AdaptationInput& input);

/// What the links have carried, all together, between the completion of two segments.
struct SegmentMeasurement {
  DataSize size;
  Duration duration{};  // must be positive
  Duration latency{};   // not in `duration`: the wait of a request for its first byte, where requests are not pipelined
};

/// What has come of a segment that is on its way.
struct SegmentProgress {
  SegmentIndex segment{};
  QualityIndex quality{};
  DataSize size, received;
  Duration elapsed{};  // since it was requested
  Duration latency{};  // of this, until its first byte came
  Duration level{};    // media that is buffered
};

/// A segment that is on its way, when its quality is looked at again. All times are those of the timeline.
struct SegmentOnItsWay {
  SegmentIndex segment{};
  QualityIndex quality{};
  Duration complete{};         // in, as it is
  std::vector<Duration> anew;  // in, by the lower qualities
  DataRate throughput;         // of all links, at this moment
  Duration due{};              // in; less than nothing if it is late
};

struct QualityChoice {
  QualityIndex quality{};
  std::string reason;
};

/// The choice of the thesis while nothing is known: the first segment in the highest quality, since it cannot miss a deadline and
/// gives the most measurements (Algorithm 1, line 1); the lowest while no link was measured. By what is remembered, the first
/// segment is of the highest quality that comes within a quarter of its duration. Nothing once a rate is known.
std::optional<QualityChoice> choice_before_measurements(const AdaptationInput& input, const SegmentTable& table);

/// Decides in which quality a segment is requested, before its first byte is asked for, and whether it is to come in a lower one
/// after all. A rule may remember what it chose and what was measured, and nothing else: the same calls in the same order
/// give the same answers.
class QualityAdaptation {
 public:
  virtual ~QualityAdaptation() = default;
  virtual QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) = 0;
  /// A segment is complete.
  virtual void measured(const SegmentMeasurement& /*measurement*/) {}
  /// What all links are expected to bring together, to be counted on from now on instead of what was measured.
  virtual void told(DataRate /*forecast*/) {}
  virtual bool lowers() const { return false; }
  /// The lower quality in which a segment is better asked for anew, if there is one: what has come of it is lost. Only for rules
  /// that do so at all.
  virtual std::optional<QualityChoice> lowered(const SegmentOnItsWay& /*segment*/, const SegmentTable& /*table*/) {
    return std::nullopt;
  }
  /// Whether a segment comes so slowly that it is better given up, and its quality chosen again. Only for clients that have
  /// one link and ask for one segment at a time; a Session leaves what is late to another link.
  virtual bool abandons(const SegmentProgress& /*progress*/, const SegmentTable& /*table*/) { return false; }
};

/// "thesis", "throughput", "bola", "bola-finite", "dynamic", "dynamic-finite", "bba", "robust-mpc", "planned",
/// or "fixed:QUALITY" with a quality of the table. Throws std::invalid_argument that lists what there is.
std::unique_ptr<QualityAdaptation> make_adaptation(const std::string& name, const SegmentTable& table,
                                                   const Rules& rules = {});

}  // namespace tributary
