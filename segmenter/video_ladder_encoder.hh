#pragma once

#include <memory>
#include <vector>

#include "segmenter/picture_scaler.hh"
#include "segmenter/quality_encoder.hh"

namespace tributary::segmenter {

/// All qualities of the picture: one scaler, and one encoder in a thread of its own for each.
class VideoLadderEncoder {
 public:
  /// The ladder has at least one quality. The publication must outlive the encoder.
  VideoLadderEncoder(const PictureFormat& source, const std::vector<Quality>& ladder,
                     const std::string& preset, const SegmentPlan& plan, const Publication& publication);

  void add(AVFrame& picture);
  void end();
  /// Pictures given to the encoders so far, at the constant rate.
  std::uint64_t pictures() const { return pictures_; }
  /// Seconds by which the timestamps are shifted; the same in all qualities.
  AVRational offset() const { return offset_; }

  /// Waits for the encoders. The tracks for the index, in the order of the ladder.
  std::vector<Track> finish();

 private:
  void distribute();

  PictureScaler scaler_;
  std::vector<std::unique_ptr<QualityEncoder>> encoders_;
  AVRational offset_{0, 1};
  std::uint64_t pictures_ = 0;
};

}  // namespace tributary::segmenter
