#pragma once

#include <memory>
#include <optional>

#include "core/aggregate_meter.hh"
#include "core/forecast_errors.hh"
#include "core/quality_adaptation.hh"
#include "core/session_options.hh"
#include "core/subsegment_planner.hh"
#include "presentation/segment_table.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Decides in which quality segments are requested: as the user chose, or else as the adaptation does by what the links
/// bring together and by what is buffered.
class Qualities {
 public:
  Qualities(const SessionOptions& options, const SegmentTable& table, const Rules& rules)
      : adaptation_{make_adaptation(options.adaptation, table, rules)} {}

  // ---- What happens

  /// Bytes came over a link that a rule counts on.
  void received(DataSize size) { meter_.received(size); }
  /// Until now nothing was wanted, or no link was there.
  void rest(TimePoint now) { meter_.restart(now); }
  void segment_complete(SegmentIndex segment, double speed, TimePoint now);
  /// From the next segment on; nothing: as the adaptation decides.
  void choose_by_user(std::optional<QualityIndex> quality, const SegmentTable& table);
  /// If the session has not started a segment yet, this will be the first.
  void seek(SegmentIndex first_missing);

  // ---- What is decided

  struct Start {
    QualityChoice choice;
    std::optional<DataRate> throughput;  // of all links together: what the choice counts on
  };
  /// For the next segment, which is started now. `links`: those that may be asked.
  Start choose_next(const LinkEstimates& links, const SessionState& s);
  /// The lower quality in which a segment on its way is better asked for, if there is one.
  std::optional<QualityChoice> lowered(const SegmentOnItsWay& segment, const SegmentTable& table) {
    return adaptation_->lowered(segment, table);
  }
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
  std::optional<QualityIndex> by_user_;
  QualityIndex last_{};
  std::optional<SegmentIndex> first_segment_{SegmentIndex{0}};  // of the session, before it is started
  /// The first segment was chosen by what is remembered of links, when so many segments had played.
  std::optional<std::size_t> by_memory_when_played_;
};

}  // namespace tributary
