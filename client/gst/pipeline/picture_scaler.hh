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

/// The largest size of the picture's shape within the box, in square pixels.
PictureSize fitted(const GstVideoInfo& picture, PictureSize box);

/// Scales frames, if it is told to: to the size that a window shows, so that the thread that shows them need not. Frames of
/// every size come out in the one that fits.
class PictureScaler {
 public:
  explicit PictureScaler(int threads);

  /// One behind the other; of whoever puts them into a bin.
  std::vector<GstElement*> elements() const { return {scale_, filter_}; }
  /// From any thread.
  void fit(PictureSize box);
  /// For the sample of the frame that has just come out: a structure with the sample that went in, as "whole"; none if it
  /// is the same. In the streaming thread.
  GstStructure* whole();

 private:
  static GstPadProbeReturn on_input(GstPad* pad, GstPadProbeInfo* info, gpointer self);
  void choose_size();

  GstElement *scale_, *filter_;
  std::mutex mutex_;
  PictureSize box_;
  GstHandle<GstCaps> caps_;    // of what goes in
  GstHandle<GstBuffer> last_;  // that went in; of the streaming thread
};

}  // namespace tributary
