#pragma once

#include "core/quality_adaptation.hh"
#include "core/throughput_history.hh"

namespace tributary {

/// BOLA (Spiteri, Urgaonkar and Sitaraman, INFOCOM 2016), BOLA-BASIC: the quality with the highest score
///   (V (u + gp) - level) / b,   u = ln(b / b_0),   gp = 5,   V = (capacity - d) / (u_max + gp)
/// where b is the bitrate and d the segment's duration. The buffer decides; the throughput only guards: a
/// step upwards ends at most one quality above what the throughput sustains (BOLA-U), or where it was.
///
/// When all scores are negative, BOLA waits until the first is not. Here a request waits only for room in the
/// buffer, so the quality that would be waited for is taken at once: the highest score is the highest quality
/// then, whose V (u + gp) the sinking level reaches first. Nothing is at risk, since the level is above that
/// of the highest quality.
///
/// With a finite title (BOLA-FINITE, "bola-finite") the capacity counts for no more than half of the segments since
/// the beginning, or until the end, whichever are fewer, and for three segments at least: at the beginning a higher
/// quality is taken with less in the buffer, and at the end nothing is saved for what does not come. It gives up a segment
/// if a lower quality has a higher score for its bytes than this one for those that are still to come, and fewer of them.
class BolaAdaptation : public QualityAdaptation {
 public:
  enum class Title { kEndless, kFinite };
  explicit BolaAdaptation(Title title = Title::kEndless) : title_{title} {}

  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  void measured(const SegmentMeasurement& measurement) override { history_.add(measurement); }
  void told(DataRate forecast) override { history_.told(forecast); }
  bool abandons(const SegmentProgress& progress, const SegmentTable& table) override;

 private:
  QualityIndex highest_score(const AdaptationInput& input, const SegmentTable& table);

  Title title_;
  ThroughputHistory history_;
  QualityIndex previous_{};
  double v_ = 0;  // of the last choice
};

}  // namespace tributary
