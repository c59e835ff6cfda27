#include "gst/playout/playout_clock.hh"

#include <algorithm>

namespace tributary {

void PlayoutClock::began() {
  runs_ = true;
  old_base_ = GST_CLOCK_TIME_NONE;
}

void PlayoutClock::paused() {
  stood_at_ = running();
  runs_ = false;
}

void PlayoutClock::flushed() {
  stood_at_ = {};
  if (runs_) old_base_ = gst_element_get_base_time(element_);
}

Duration PlayoutClock::running() const {
  if (!runs_) return stood_at_;
  // A flush takes the pipeline back to PAUSED, but only the sinks are told. When it plays again, its base time is new.
  if (GST_CLOCK_TIME_IS_VALID(old_base_) && gst_element_get_base_time(element_) == old_base_) return {};
  return by_the_clock();
}

Duration PlayoutClock::by_the_clock() const {
  const GstHandle<GstClock> clock{gst_element_get_clock(element_)};
  if (!clock) return stood_at_;
  const GstClockTime now = gst_clock_get_time(clock.get()), base = gst_element_get_base_time(element_);
  return Duration{now > base ? static_cast<Duration::rep>(now - base) : 0};
}

}  // namespace tributary
