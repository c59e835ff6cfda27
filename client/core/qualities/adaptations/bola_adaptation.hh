#pragma once

#include "core/qualities/quality_adaptation.hh"
#include "core/qualities/throughput_history.hh"

namespace tributary {

/// BOLA-BASIC (Spiteri, Urgaonkar and Sitaraman, INFOCOM 2016): the quality with the highest score
///   (V (u + gp) - level) / b,   u = ln(b / b_0),   gp = 5,   V = (capacity - d) / (u_max + gp)
/// with bitrate b and segment duration d. The throughput only guards: a step upwards ends at most one quality above the
/// sustained one (BOLA-U), or where it was. Where all scores are negative, BOLA waits; a request here waits only for
/// room, so the highest quality is taken, whose score becomes positive first.
///
/// With a finite title (BOLA-FINITE) the capacity counts for at most half of the segments since the beginning or until
/// the end, and for three at least. A segment is given up if a lower quality has a higher score for its bytes than this
/// one for its missing bytes, and fewer bytes.
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
