#pragma once

#include <filesystem>

#include "media/cmaf_reader.hh"
#include "presentation/presentation.hh"
#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// Decodes the first picture of any segment of a track, and nothing else of the segment.
class FirstPictures {
 public:
  /// Both must outlive the object. Throws Failure: (output) if the init segment cannot be read, (codec) if libavcodec
  /// cannot decode the track.
  FirstPictures(const std::filesystem::path& directory, const Track& track);

  /// Borrowed until the next call. Null: the segment cannot be read or decoded.
  AVFrame* of(SegmentIndex segment);
  /// The stream of the init segment, which tells how to turn the pictures.
  const AVStream& stream() const { return *init_->streams[0]; }

 private:
  const std::filesystem::path& directory_;
  const Track& track_;
  InitFacts facts_;
  InputHandle init_;
  CodecHandle decoder_;
  FrameHandle frame_ = make_frame();
};

}  // namespace tributary::segmenter
