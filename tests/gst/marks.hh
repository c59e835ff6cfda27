#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "units/session_clock.hh"

namespace tributary::testing {

/// What the bar at the top of a picture of make_marked_content.py says.
struct PictureMark {
  unsigned frame = 0, quality = 0;
  bool flash = false;

  bool operator==(const PictureMark&) const = default;
};

/// Nothing if the bar cannot be read, or its flash and its number contradict each other. Of raw video in main memory.
std::optional<PictureMark> read_picture(GstSample* sample);

/// The middle of the picture is white; of raw video in main memory.
bool is_white(GstSample* sample);

/// Listens to the sound of make_marked_content.py, buffer after buffer: raw, two channels, 32-bit floats.
class SoundMarks {
 public:
  void add(GstSample* sample);

  /// Where the tone on the left was broken, not counting the first moments after a start.
  const std::vector<Duration>& breaks() const { return breaks_; }
  /// Where the tick on the right began.
  const std::vector<Duration>& ticks() const { return ticks_; }
  /// The largest difference between a timestamp and the samples before it.
  Duration largest_gap() const { return largest_gap_; }
  std::uint64_t samples() const { return samples_; }
  /// Of the tone on the left, in Hz.
  double frequency() const;

 private:
  void hear(float left, float right, Duration at);

  std::vector<Duration> breaks_, ticks_;
  Duration largest_gap_{};
  std::optional<Duration> next_;
  std::uint64_t samples_ = 0, crossings_ = 0;  // of zero, on the left
  double before_ = 0, before_that_ = 0;
  std::uint64_t silent_ = 1 << 20;  // samples on the right since it was last loud
};

}  // namespace tributary::testing
