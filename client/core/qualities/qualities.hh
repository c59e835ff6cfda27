#pragma once

#include <memory>
#include <optional>

#include "core/event.hh"
#include "core/qualities/aggregate_meter.hh"
#include "core/qualities/forecast_errors.hh"
#include "core/qualities/quality_adaptation.hh"
#include "core/session_options.hh"
#include "core/subsegments/subsegment_planner.hh"
#include "presentation/segments/segment_table.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Decides in which quality segments are requested: as the user chose, or else by the adaptation.
class Qualities {
 public:
  Qualities(const SessionOptions& options, const SegmentTable& table, const Rules& rules)
      : adaptation_{make_adaptation(options.adaptation, table, rules, Experience::read(options.experience))} {}

  // ---- What happens

  /// Bytes came over a link on which rules count.
  void received(DataSize size) { meter_.received(size); }
  /// Until now no byte was wanted, or no link was there.
  void rest(TimePoint now) { meter_.restart(now); }
  void segment_complete(SegmentIndex segment, double speed, TimePoint now);
  void choose_by_user(const event::QualityChosen& choice, const SegmentTable& table);
  /// If the session has not started a segment yet, this will be the first.
  void seek(SegmentIndex first_missing);

  // ---- What is decided

  struct Start {
    QualityChoice choice;
    std::optional<DataRate> throughput;  // of all links together; the choice counts on it
  };
  /// For the next segment, which is started now. `links`: those that may be asked.
  Start choose_next(const LinkEstimates& links, const SessionState& s);
  /// The lower quality in which the segment is better asked for anew, if there is one.
  std::optional<QualityChoice> lowered(const SegmentOnItsWay& segment, const SegmentTable& table) {
    return adaptation_->lowered(segment, table);
  }
  /// Of a rule that steers the speed of playout itself.
  std::optional<double> speed(const LiveSituation& now) const {
    return by_user_ ? std::nullopt : adaptation_->speed(now);
  }
  /// The adaptation decides, and counts with the sizes of segments.
  bool counts_with_sizes() const { return !by_user_; }
  bool lowers() const { return !by_user_ && adaptation_->lowers(); }
  /// The segment was lowered; as it was, it would have been there at that moment.
  void was_lowered(SegmentIndex segment, TimePoint would_be) { forecast_errors_.given_up(segment, would_be); }
  /// The quality of the newest segment.
  QualityIndex last() const { return last_; }
  void set_last(QualityIndex quality) { last_ = quality; }

 private:
  std::optional<DataRate> throughput_of(const LinkEstimates& links, const SessionState& s) const;
  AdaptationInput input(std::optional<DataRate> throughput, const SessionState& s) const;
  QualityChoice choose(std::optional<DataRate> throughput, const SessionState& s);

  std::unique_ptr<QualityAdaptation> adaptation_;
  AggregateMeter meter_;
  ForecastErrors forecast_errors_;
  std::optional<QualityIndex> by_user_, at_most_;
  QualityIndex last_{};
  std::optional<SegmentIndex> first_segment_{SegmentIndex{0}};  // of the session, before it is started
  /// Segments played when the first segment was chosen by remembered rates.
  std::optional<std::size_t> by_memory_when_played_;
};

}  // namespace tributary
