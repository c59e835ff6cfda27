#pragma once

#include "gst/playout/playout_clock.hh"
#include "gst/source/segment_delivery.hh"

namespace tributary {

/// Where playout is in the segments that were delivered. Not thread-safe.
class Playhead {
 public:
  /// `delivery` must outlive this.
  Playhead(GstElement* element, const SegmentDelivery& delivery) : clock_{element}, delivery_{delivery} {}

  PlayoutClock& clock() { return clock_; }
  bool runs() const { return clock_.runs(); }
  Duration position() const { return delivery_.timeline().position(clock_.running()); }
  double speed() const { return delivery_.timeline().speed(clock_.running()); }
  /// Wall-clock time until all delivered segments have been played.
  Duration left() const { return delivery_.timeline().running(delivery_.delivered_end()) - clock_.running(); }

 private:
  PlayoutClock clock_;
  const SegmentDelivery& delivery_;
};

}  // namespace tributary
