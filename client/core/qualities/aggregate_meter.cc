#include "core/qualities/aggregate_meter.hh"

namespace tributary {

void AggregateMeter::restart(TimePoint now) {
  begin_ = now;
  size_ = {};
}

std::optional<SegmentMeasurement> AggregateMeter::segment_complete(TimePoint now) {
  if (now <= begin_ || size_ == DataSize{}) return std::nullopt;
  const SegmentMeasurement measurement{size_, now - begin_, {}};
  restart(now);
  return measurement;
}

}  // namespace tributary
