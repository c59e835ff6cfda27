#pragma once

#include <functional>
#include <string>

#include "segmenter/encoders/encoded_source.hh"
#include "segmenter/encoders/video_encoder.hh"

namespace tributary::segmenter {

/// Encodes the pictures of a file once more, in the same size and by the same codec, with key frames where segments
/// begin. Packets go in, packets come out.
class PictureReencoder {
 public:
  /// Takes the next packet, its number in the order of presentation, and whether decoding can begin with it.
  using Use = std::function<void(AVPacket&, std::int64_t, RandomAccess)>;

  /// `quality`: its name, and the average rate to keep. `source` must outlive the object. Errors name `file`. Throws
  /// Failure (codec) if the pictures would lose what makes them (depth, fields), or if no encoder obeys.
  PictureReencoder(const EncodedPicture& source, const std::string& file, const Quality& quality,
                   const SegmentPlan& plan);

  /// The format of what comes out.
  const EncodedPicture& picture() const { return picture_; }
  /// Takes the next picture in decoding order. Throws Failure (input) if it cannot be decoded.
  void add(const EncodedPacket& picture, const Use& use);
  /// Gives the packets that are left.
  void finish(const Use& use);

 private:
  void decode(const AVPacket* packet, const Use& use);
  void encode(AVFrame* picture, const Use& use);

  std::string what_;  // for errors
  SegmentPlan plan_;
  CodecHandle decoder_;
  VideoEncoder encoder_;
  EncodedPicture picture_;
  FrameHandle frame_ = make_frame();
};

}  // namespace tributary::segmenter
