#pragma once

#include <gst/app/gstappsink.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "gst/gst_handles.hh"
#include "gst/pipeline/decoder_search.hh"
#include "gst/pipeline/picture_scaler.hh"
#include "gst/texts/picture_captions.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Decodes pictures, and shows each frame when its time has come.
class PictureBranch {
 public:
  struct Settings {
    DecoderChain chain;
    std::string format;              // of the frames
    int threads = 1;                 // of the decoder
    std::optional<Duration> latest;  // frames later than this are dropped; nothing: none is
  };
  /// Calls `show` in a streaming thread, once for each frame. A scaled frame carries the unscaled one as "whole" (see
  /// Player::ShowFrame). Throws MissingElement.
  PictureBranch(const Settings& settings, std::function<void(GstSample*)> show);

  GstElement* bin() const { return bin_.get(); }
  bool decodes_in_hardware() const { return settings_.chain.in_hardware; }
  /// Puts another decoder of the same format in the place of the present one. The pipeline must be PAUSED, and a seek
  /// must follow. Throws MissingElement.
  void replace_decoder(const DecoderChain& chain);
  /// Scales frames to fit into the box, in pixels, from the next frame on.
  void fit(PictureSize box) { scaler_.fit(box); }
  /// Position of playout; nothing before the first frame.
  std::optional<Duration> position() const;
  PictureCaptions& captions() { return captions_; }
  const PictureCaptions& captions() const { return captions_; }
  std::uint64_t frames_shown() const { return frames_shown_; }

 private:
  static GstFlowReturn on_preroll(GstAppSink* sink, gpointer self);
  static GstFlowReturn on_sample(GstAppSink* sink, gpointer self);
  GstHandle<GstSample> take(GstHandle<GstSample> sample);
  void show(GstSample* sample);
  GstElement* make_decoder();

  Settings settings_;
  std::function<void(GstSample*)> show_;
  PictureScaler scaler_;
  PictureCaptions captions_;
  GstElement* decoder_ = nullptr;  // of the bin, as the sink
  GstElement* sink_ = nullptr;
  GstClockTime prerolled_ = GST_CLOCK_TIME_NONE;  // time of the frame shown at preroll; streaming thread only
  std::atomic<std::uint64_t> frames_shown_ = 0;
  GstHandle<GstElement> bin_;  // last: its threads call this object, so it ends first
};

/// Number of decoder threads for pictures of this height, 0 if unknown. Each further thread would hold back a frame and save no time.
int decoder_threads(int height);

/// Playout must pause while this much is left to play. The frames that the decoder holds back are then still in time.
Duration low_buffer(int threads, double frame_rate);

}  // namespace tributary
