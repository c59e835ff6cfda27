#pragma once

#include <gst/app/gstappsink.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "gst/gst_handles.hh"
#include "gst/pipeline/decoder_search.hh"
#include "gst/pipeline/picture_scaler.hh"
#include "units/session_clock.hh"

namespace tributary {

/// From coded pictures to frames, which are shown when it is time.
class PictureBranch {
 public:
  struct Settings {
    DecoderChain chain;
    std::string format;              // of the frames
    int threads = 1;                 // of the decoder
    std::optional<Duration> latest;  // later frames are left out
  };
  /// `show` is called in a streaming thread, once for each frame; one that was scaled has the unscaled one as its "whole"
  /// (see Player). Throws MissingElement.
  PictureBranch(const Settings& settings, std::function<void(GstSample*)> show);

  GstElement* bin() const { return bin_.get(); }
  /// Frames are made to fit into this, in pixels, from the next one on.
  void fit(PictureSize box) { scaler_.fit(box); }
  /// Of playout; nothing before the first frame.
  std::optional<Duration> position() const;
  std::uint64_t frames_shown() const { return frames_shown_; }

 private:
  static GstFlowReturn on_preroll(GstAppSink* sink, gpointer self);
  static GstFlowReturn on_sample(GstAppSink* sink, gpointer self);
  GstHandle<GstSample> take(GstHandle<GstSample> sample);
  void show(GstSample* sample);

  std::function<void(GstSample*)> show_;
  PictureScaler scaler_;
  GstElement* sink_ = nullptr;                    // of the bin
  GstClockTime prerolled_ = GST_CLOCK_TIME_NONE;  // of the frame that was shown before it was time; streaming thread
  std::atomic<std::uint64_t> frames_shown_ = 0;
  GstHandle<GstElement> bin_;  // last: its threads call this
};

/// Threads for a decoder of pictures up to this height: more than these hold back more frames than they save time.
int decoder_threads(int height);

/// What must be left to play when playout is paused, so that no frame that the decoder holds back comes too late.
Duration low_buffer(int threads, double frame_rate);

}  // namespace tributary
