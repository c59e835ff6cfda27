#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "segmenter/encoders/video_encoding.hh"
#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// One of two passes, and the file with the first pass's findings for the second.
struct EncoderPass {
  int number = 1;
  std::string statistics;
};

/// The rate of one quality. Rates in bit/s, the buffer in bits.
struct RateTarget {
  std::int64_t average = 0, most = 0;
  int buffer = 0;
};

/// How many pictures an encoder waits for before it decides.
struct LookAhead {
  int pictures = 0;
  bool strict = false;  // nothing else holds pictures back for longer: neither B-frames nor threads
};

/// The task of an encoder, beside the form of its pictures.
struct EncoderTask {
  RateTarget rate;
  std::optional<LookAhead> look_ahead;  // nothing: by the preset
  std::optional<EncoderPass> pass;
};

/// Translates settings into the options of an encoder of libavcodec, and knows facts that encoders do not state. Knows
/// libx264, libx265 and libsvtav1; other encoders get only options that libavcodec itself names.
class EncoderDialect {
 public:
  /// Throws Failure (codec) if this libavcodec lacks the encoder, or if the encoder does not fit: another codec, no
  /// pictures from main memory, or no such rate control.
  explicit EncoderDialect(const VideoEncoding& encoding);

  const AVCodec& codec() const { return *codec_; }
  /// The preset that was asked for, or the usual one.
  const std::string& preset() const { return preset_; }
  int crf() const { return crf_; }
  /// Sets encoder and options, both for avcodec_open2, to make closed groups of encoder.gop_size pictures, each with
  /// one keyframe, at the task's rate.
  void instruct(AVCodecContext& encoder, Options& options, const EncoderTask& task) const;
  /// Whether the encoder makes keyframes on demand; otherwise one comes every encoder.gop_size pictures.
  bool obeys() const;
  /// Whether several such encoders in one process disturb each other: their library writes shared tables while others
  /// read them.
  bool disturbs_others() const;
  /// Depth of reordering of an open encoder, in pictures.
  int reordering(const AVCodecContext& encoder) const;

 private:
  enum class Family { kX264, kX265, kSvtAv1, kOther };

  void refuse_rate_control() const;
  std::string delay_of_x264(const AVCodecContext& encoder, const std::optional<LookAhead>& ahead) const;
  std::string delay_of_x265(const std::optional<LookAhead>& ahead) const;
  void set_rate(AVCodecContext& encoder, Options& options, const RateTarget& rate) const;

  const AVCodec* codec_;
  Family family_;
  std::string preset_;
  RateControl rate_control_;
  int crf_;
};

}  // namespace tributary::segmenter
