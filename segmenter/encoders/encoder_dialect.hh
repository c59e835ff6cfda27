#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "segmenter/encoders/video_encoding.hh"
#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// Which of two passes, and the file in which what was seen in the first is kept for the second.
struct EncoderPass {
  int number = 1;
  std::string statistics;
};

/// What the rate of one quality comes to. Rates in bit/s, the buffer in bits.
struct RateTarget {
  std::int64_t average = 0, most = 0;
  int buffer = 0;
};

/// What is asked of an encoder beside the kind of its pictures.
struct EncoderTask {
  RateTarget rate;
  std::optional<int> look_ahead;  // pictures that it waits for before it decides; nothing: as the preset says
  std::optional<EncoderPass> pass;
};

/// What an encoder of libavcodec calls the things that all of them have, and what it does not say of itself. Those it has
/// words for are libx264, libx265 and libsvtav1; another one is told only what libavcodec has a name for.
class EncoderDialect {
 public:
  /// Throws Failure (codec) if this libavcodec does not have the encoder, or it is one of another codec, takes no
  /// pictures from main memory, or does not keep the rate in that way.
  explicit EncoderDialect(const VideoEncoding& encoding);

  const AVCodec& codec() const { return *codec_; }
  /// What was asked for, or is usual.
  const std::string& preset() const { return preset_; }
  int crf() const { return crf_; }
  /// Sets what makes closed groups of pictures of encoder.gop_size, each with one keyframe, at that rate; encoder and options
  /// are those for avcodec_open2.
  void instruct(AVCodecContext& encoder, Options& options, const EncoderTask& task) const;
  /// Whether a keyframe can be asked for, wherever it is; otherwise one comes with each encoder.gop_size pictures.
  bool obeys() const;
  /// Whether encoders that run beside each other in one process are in each other's way: their library keeps tables for all
  /// of them, and writes them while others read.
  bool disturbs_others() const;
  /// Depth of reordering of an encoder that is open, in pictures.
  int reordering(const AVCodecContext& encoder) const;

 private:
  enum class Family { kX264, kX265, kSvtAv1, kOther };

  void refuse_rate_control() const;
  void set_rate(AVCodecContext& encoder, Options& options, const RateTarget& rate) const;

  const AVCodec* codec_;
  Family family_;
  std::string preset_;
  RateControl rate_control_;
  int crf_;
};

}  // namespace tributary::segmenter
