#pragma once

#include <vector>

#include "segmenter/encoders/video_encoding.hh"
#include "segmenter/libav/input_decoder.hh"
#include "segmenter/plan/ladder.hh"

namespace tributary::segmenter {

/// The usual steps, "240p" to "2160p", at the rates that the codec needs. No step is larger than the source's pictures,
/// or has a higher rate than the source, if that is known. There is at least one step.
std::vector<Quality> automatic_ladder(const PictureFormat& source, VideoCodec codec);
/// The ladder that was asked for; if it is empty, the automatic one.
std::vector<Quality> ladder_for(const std::vector<Quality>& asked, const PictureFormat& source, VideoCodec codec);

}  // namespace tributary::segmenter
