#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "segmenter/encoders/picture_encoder.hh"
#include "segmenter/encoders/picture_meter.hh"
#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

struct VideoSettings {
  Quality quality;  // must have a size
  AVRational pixel_aspect{1, 1};
  VideoEncoding encoding;
  int threads = 1;
  std::optional<LookAhead> look_ahead;  // as for EncoderTask
  std::optional<EncoderPass> pass;
  MetricChoice metrics;  // measured by QualityEncoder
};

/// One encoder. Makes closed groups of pictures as the plan cuts them, at a constrained average rate.
class VideoEncoder {
 public:
  VideoEncoder(const VideoSettings& settings, const PictureFormat& source, const SegmentPlan& plan);

  /// Calls use(AVPacket&) for every packet that is ready, with timestamps in ticks of the plan; the first picture is
  /// shown at offset(). Null ends the stream. The picture's pts counts pictures. Pictures may be left out, but not the
  /// first of a segment.
  template <typename Use>
  void encode(AVFrame* picture, Use use) {
    if (picture != nullptr) take(*picture);
    encoder_->encode(picture, [&](AVPacket& packet) {
      to_ticks(packet);
      use(packet);
    });
  }

  /// The delay of every picture, in ticks, so that none is decoded before zero: the depth of reordering.
  std::int64_t offset() const { return encoder_->reordering() * plan_.picture_ticks(); }
  const AVCodecParameters& parameters() const { return encoder_->parameters(); }

 private:
  void take(AVFrame& picture);
  void to_ticks(AVPacket& packet);
  [[noreturn]] void refuse(const std::string& what) const;

  SegmentPlan plan_;
  std::string quality_;
  bool obeys_;
  std::unique_ptr<PictureEncoder> encoder_;
  std::deque<std::int64_t> decoding_times_;  // of the next packets, in pictures
  bool begun_ = false;
  std::int64_t last_decoded_ = -1;
};

}  // namespace tributary::segmenter
