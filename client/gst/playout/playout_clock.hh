#pragma once

#include "gst/gst_handles.hh"
#include "units/session_clock.hh"

namespace tributary {

/// How far playout is, as running time, from the clock and the base time of one element. Not thread-safe.
class PlayoutClock {
 public:
  explicit PlayoutClock(GstElement* element) : element_{element} {}

  void began();
  void paused();
  /// Running time is zero again, and stays so until the pipeline has a new base time.
  void flushed();

  Duration running() const;
  bool runs() const { return runs_; }

 private:
  Duration by_the_clock() const;

  GstElement* element_;
  bool runs_ = false;
  Duration stood_at_{};                          // running time while playout stands; the clock itself goes on
  GstClockTime old_base_ = GST_CLOCK_TIME_NONE;  // base time before the flush, until the pipeline has a new one
};

}  // namespace tributary
