#pragma once

#include <vector>

#include "segmenter/filters/filter_chain.hh"
#include "segmenter/filters/frame_adapter.hh"
#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

/// Turns decoded pictures into those of each quality: at a constant rate (repeating or dropping pictures), upright,
/// scaled from the next larger size, as 4:2:0 in video range.
class PictureScaler {
 public:
  PictureScaler(const PictureFormat& source, const std::vector<PictureSize>& sizes);

  void push(AVFrame& picture);
  void end();
  /// The next picture at the constant rate; its pts counts pictures. Null: there is none yet.
  FrameHandle next() { return rate_.pull(0); }
  /// Scales a picture of next(). Afterwards pull() gives it in size `index`.
  void scale(AVFrame& picture) { sizes_.push(picture); }
  FrameHandle pull(std::size_t index) { return sizes_.pull(index); }

  /// 1:1, unless the size of the quality squeezes the picture.
  AVRational pixel_aspect(std::size_t index) const;

 private:
  PictureFormat source_;
  FrameAdapter adapter_;
  std::int64_t usual_ticks_;   // of a picture, in the source's time base
  std::int64_t end_ = 0;       // end of the last picture
  std::int64_t duration_ = 0;  // stated duration of the last picture
  FilterChain rate_, sizes_;
};

}  // namespace tributary::segmenter
