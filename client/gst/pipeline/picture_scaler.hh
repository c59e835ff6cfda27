#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <mutex>
#include <vector>

#include "gst/gst_handles.hh"

namespace tributary {

struct PictureSize {
  int width = 0, height = 0;
  bool operator==(const PictureSize&) const = default;
};

/// The largest size with the picture's aspect ratio that fits into the box, in square pixels.
PictureSize fitted(const GstVideoInfo& picture, PictureSize box);

/// Scales frames of every size to the size that a window shows, so that the window's thread need not. Leaves frames as
/// they are until a box is set.
class PictureScaler {
 public:
  explicit PictureScaler(int threads);

  /// The elements, to be linked in this order. The caller puts them into a bin, which owns them.
  std::vector<GstElement*> elements() const { return {scale_, filter_}; }
  /// May be called from any thread.
  void fit(PictureSize box);
  /// The info of the frame that has just come out: a structure with the unscaled sample as "whole". Null if no box is
  /// set. To be called in the streaming thread; the caller owns the structure.
  GstStructure* whole();

 private:
  static GstPadProbeReturn on_input(GstPad* pad, GstPadProbeInfo* info, gpointer self);
  void choose_size();

  GstElement *scale_, *filter_;
  std::mutex mutex_;
  PictureSize box_;
  GstHandle<GstCaps> caps_;    // of the input
  GstHandle<GstBuffer> last_;  // the last input frame; streaming thread only
};

}  // namespace tributary
