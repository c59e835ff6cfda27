#pragma once

#include <gst/gst.h>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gst/texts/caption_decoder.hh"

namespace tributary {

/// The closed captions of decoded pictures: knows the text for a position of playout. Decoders and parsers of GStreamer
/// attach captions to pictures (GstVideoCaptionMeta). Until a field is chosen, those of the last seconds are kept: pictures
/// are decoded before they are shown, and before a listener knows of the title.
class PictureCaptions {
 public:
  /// Looks at the pictures that pass the pad, in its thread. Must outlive the pad's element.
  void watch(GstPad* decoded);
  /// Begins anew, with what has passed in the last seconds.
  void choose(std::optional<CaptionField> field);
  /// The markup to show at that position; empty: none.
  std::string at(Duration position) const;

 private:
  struct Text {
    Duration begin{};
    std::string markup;
  };
  static GstPadProbeReturn on_pass(GstPad* pad, GstPadProbeInfo* info, gpointer self);
  struct Passed {
    Duration time{};
    std::vector<std::byte> captions;
  };
  void take(GstBuffer* picture);
  void take(GstEvent* event);
  void decode(const Passed& passed);

  mutable std::mutex mutex_;  // of all below
  std::optional<CaptionField> field_;
  std::unique_ptr<CaptionDecoder> decoder_;
  std::deque<Passed> passed_;
  std::deque<Text> texts_;  // by their beginnings
  GstSegment segment_{};    // of the pictures
};

}  // namespace tributary
