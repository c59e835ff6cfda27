#pragma once

#include <cstddef>
#include <span>

#include "segmenter/libav/input_decoder.hh"
#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// The stream of an init segment, as libavformat reads it. Null if there is not exactly one.
InputHandle open_init(std::span<const std::byte> content);

/// The form of pictures that are decoded from a track: what one of them and the stream of the init segment tell.
PictureFormat format_of(const AVStream& stream, const AVFrame& picture, AVRational time_base);

}  // namespace tributary::segmenter
