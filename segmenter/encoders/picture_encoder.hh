#pragma once

#include <functional>
#include <memory>

#include "segmenter/encoders/encoder_settings.hh"

namespace tributary::segmenter {

/// An open encoder. Pictures go in, packets come out; the times of both count pictures.
class PictureEncoder {
 public:
  using Use = std::function<void(AVPacket&)>;

  virtual ~PictureEncoder() = default;
  /// Takes a picture, or null for the end, and calls use() for every packet that is ready. Throws Failure (codec).
  virtual void encode(const AVFrame* picture, const Use& use) = 0;
  /// For the muxer, and for decoders.
  virtual const AVCodecParameters& parameters() const = 0;
  /// Depth of reordering, in pictures.
  virtual int reordering() const = 0;
};

/// Opens an encoder in this process, or in one of its own if encoders of its library disturb each other. Throws Failure
/// (codec).
std::unique_ptr<PictureEncoder> open_encoder(const EncoderSettings& settings);
/// Opens an encoder in this process. Throws Failure (codec).
std::unique_ptr<PictureEncoder> open_encoder_here(const EncoderSettings& settings);

}  // namespace tributary::segmenter
