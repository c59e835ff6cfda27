#pragma once

#include "gst/gst_handles.hh"
#include "units/session_clock.hh"

namespace tributary {

/// How far playout is, as running time, by what an element knows of its pipeline. Not to be used by two threads at once.
class PlayoutClock {
 public:
  explicit PlayoutClock(GstElement* element) : element_{element} {}

  void began();
  void paused();
  /// Running time begins at zero again, as soon as the pipeline is ready to play.
  void flushed();

  Duration running() const;
  bool runs() const { return runs_; }

 private:
  Duration by_the_clock() const;

  GstElement* element_;
  bool runs_ = false;
  Duration stood_at_{};                          // while it does not run; the clock goes on then
  GstClockTime old_base_ = GST_CLOCK_TIME_NONE;  // of before the flush, until there is a new one
};

}  // namespace tributary
