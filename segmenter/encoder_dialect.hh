#pragma once

#include <optional>
#include <string>

#include "segmenter/libav_handles.hh"
#include "segmenter/video_encoding.hh"

namespace tributary::segmenter {

/// What an encoder of libavcodec calls the things that all of them have, and what it does not say of itself. Those it has
/// words for are libx264, libx265 and libsvtav1; another one is told only what libavcodec has a name for.
class EncoderDialect {
 public:
  /// Throws Failure (codec) if this libavcodec does not have the encoder, or it is one of another codec, or takes no pictures from main memory.
  explicit EncoderDialect(const VideoEncoding& encoding);

  const AVCodec& codec() const { return *codec_; }
  /// Sets what makes closed groups of pictures of encoder.gop_size, each with one keyframe, at a constrained average rate, with
  /// `look_ahead` pictures of delay at the most; encoder and options are those for avcodec_open2.
  void instruct(AVCodecContext& encoder, Options& options, std::optional<int> look_ahead) const;
  /// Whether a keyframe can be asked for, wherever it is; otherwise one comes with each encoder.gop_size pictures.
  bool obeys() const;
  /// Depth of reordering of an encoder that is open, in pictures.
  int reordering(const AVCodecContext& encoder) const;

 private:
  enum class Family { kX264, kX265, kSvtAv1, kOther };

  const AVCodec* codec_;
  Family family_;
  std::string preset_;
};

}  // namespace tributary::segmenter
