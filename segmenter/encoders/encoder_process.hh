#pragma once

#include <memory>
#include <string_view>

#include "segmenter/encoders/picture_encoder.hh"

namespace tributary::segmenter {

/// Opens an encoder in a process of its own: this program, started with kEncoderProcess as its only argument. Throws
/// Failure (codec) if the encoder there does, or if that process has ended.
std::unique_ptr<PictureEncoder> open_encoder_process(const EncoderSettings& settings);

inline constexpr std::string_view kEncoderProcess = "encoder-process";
/// The work of that process: encodes the pictures that come from standard input, until its other end is closed.
int serve_encoder();

}  // namespace tributary::segmenter
