#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/playout/live_situation.hh"
#include "core/qualities/experience.hh"
#include "core/rules.hh"
#include "presentation/segments/segment_table.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Known when the quality of a segment is chosen.
struct AdaptationInput {
  SegmentIndex segment{};
  bool first = false;                            // of the session
  std::optional<DataRate> throughput;            // aggregate over the links that can be used
  Duration time_left_playout{};                  // of the segment being played
  Duration buffered{};                           // complete segments that are not yet playing
  DataSize bytes_left;                           // requested (or to be requested again) and not yet received
  Duration under_way{};                          // media of the segments that wait for those bytes
  Duration capacity{};                           // media that fits in the buffer, the segment being played included
  std::optional<Duration> next_publication;      // live: until the segment after this one exists
  std::optional<std::size_t> segments_to_begin;  // from this one on, that playout waits for, if it has not begun
  double spread = 0;                             // of the plan (ForecastErrors)
  Duration reserve{};                            // low latency: segments are to be there this long before they are due
  Duration latency{}, target_latency{};          // low latency: how far playout is behind the live edge, and should be
  /// Start-up uses a remembered rate: for the first segment, and for those that playout does not wait for.
  bool begins_by_memory = false;
};

/// Media that will be ready to play when the bytes before this segment have come, with the rest of the playing segment.
/// Rules for clients with one request at a time call this their buffer level.
Duration level_at_transfer(const AdaptationInput& input);

/// Bytes of all links between the completion of two segments.
struct SegmentMeasurement {
  DataSize size;
  Duration duration{};  // must be positive
  Duration latency{};   // not in `duration`: the wait of a request for its first byte, where requests are not pipelined
};

/// The state of a segment on its way.
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
  DataSize to_come;            // until it is complete, as it is
  std::vector<DataSize> anew;  // the same, if it is asked for anew, by the lower qualities
  DataRate throughput;         // of all links, at this moment
  Duration due{};              // in; less than nothing if it is late
};

struct QualityChoice {
  QualityIndex quality{};
  std::string reason;
};

/// The choice before the first measurement, nothing after it. With `first`, the highest quality: the first segment
/// cannot miss a deadline, and gives the most measurements (Algorithm 1, line 1). By remembered rates, the highest
/// quality that comes within a quarter of its duration. Else the lowest.
std::optional<QualityChoice> choice_before_measurements(const AdaptationInput& input, const SegmentTable& table);

/// Decides in which quality a segment is requested, before its first byte is asked for, and whether it is lowered
/// later. A rule may remember its choices and measurements, and nothing else: the same calls in the same order give the
/// same answers.
class QualityAdaptation {
 public:
  virtual ~QualityAdaptation() = default;
  virtual QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) = 0;
  /// A segment is complete.
  virtual void measured(const SegmentMeasurement& /*measurement*/) {}
  /// The expected rate of all links together, to be used from now on in place of the measured one.
  virtual void told(DataRate /*forecast*/) {}
  /// Low latency: the speed of playout, of a rule that steers it itself.
  virtual std::optional<double> speed(const LiveSituation& /*now*/) const { return std::nullopt; }
  virtual bool lowers() const { return false; }
  /// The lower quality in which a segment is better asked for anew, if there is one; its bytes so far are lost. Only if
  /// lowers().
  virtual std::optional<QualityChoice> lowered(const SegmentOnItsWay& /*segment*/, const SegmentTable& /*table*/) {
    return std::nullopt;
  }
  /// True if a segment is better given up, and its quality chosen again. Only for clients with one link and one request
  /// at a time; a Session leaves late ranges to another link.
  virtual bool abandons(const SegmentProgress& /*progress*/, const SegmentTable& /*table*/) { return false; }
};

/// All that make_adaptation knows, for people.
std::string adaptation_names();
/// By name; "fixed:QUALITY" is always that quality of the table. planned and robust-mpc maximise `experience`. Throws
/// std::invalid_argument that lists what there is.
std::unique_ptr<QualityAdaptation> make_adaptation(const std::string& name, const SegmentTable& table,
                                                   const Rules& rules = {}, const Experience& experience = {});

}  // namespace tributary
