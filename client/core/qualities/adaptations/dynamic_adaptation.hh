#pragma once

#include <utility>

#include "core/qualities/adaptations/bola_adaptation.hh"
#include "core/qualities/adaptations/throughput_adaptation.hh"
#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// DYNAMIC (Spiteri, Sitaraman and Sparacio, MMSys 2018), the default of dash.js: the throughput rule while little is
/// buffered, BOLA when there is more. It goes over to BOLA with a level above 10 s if BOLA asks for no less, and back
/// with a level below 10 s if BOLA asks for less. Both rules are asked each time. The throughput rule alone decides
/// about giving up. "dynamic-finite" has BOLA for a finite title.
class DynamicAdaptation : public QualityAdaptation {
 public:
  explicit DynamicAdaptation(BolaAdaptation bola = BolaAdaptation{}) : bola_{std::move(bola)} {}

  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  void measured(const SegmentMeasurement& measurement) override;
  void told(DataRate forecast) override {
    throughput_.told(forecast);
    bola_.told(forecast);
  }
  bool abandons(const SegmentProgress& progress, const SegmentTable& table) override {
    return throughput_.abandons(progress, table);
  }

 private:
  ThroughputAdaptation throughput_;
  BolaAdaptation bola_;
  bool bola_decides_ = false;
};

}  // namespace tributary
