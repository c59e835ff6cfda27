#pragma once

#include <memory>
#include <string_view>

#include "segmenter/encoders/picture_encoder.hh"

namespace tributary::segmenter {

/// Opens an encoder in a process of its own: this program, started with kEncoderProcess as its only argument. Throws Failure
/// (codec), as the encoder there does, and when that process has come to an end.
std::unique_ptr<PictureEncoder> open_encoder_process(const EncoderSettings& settings);

inline constexpr std::string_view kEncoderProcess = "encoder-process";
/// What that process does: encodes what comes from the other end of standard input, until nothing comes any more.
int serve_encoder();

}  // namespace tributary::segmenter
