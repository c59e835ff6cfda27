#pragma once

#include <vector>

#include "segmenter/encoders/video_encoding.hh"
#include "segmenter/libav/input_decoder.hh"
#include "segmenter/plan/ladder.hh"

namespace tributary::segmenter {

/// The usual steps, "240p" to "2160p", as far as the source goes: none is larger than its pictures, and none has a higher
/// rate than it has itself, if that is known. At least one. The rates are those that the codec needs.
std::vector<Quality> automatic_ladder(const PictureFormat& source, VideoCodec codec);
/// What was asked for, or that, if nothing was.
std::vector<Quality> ladder_for(const std::vector<Quality>& asked, const PictureFormat& source, VideoCodec codec);

}  // namespace tributary::segmenter
