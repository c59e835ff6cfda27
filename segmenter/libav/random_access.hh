#pragma once

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// Whether decoding can begin at a picture.
enum class RandomAccess {
  kNone,
  kOpen,  // a recovery point: pictures that follow it, but are shown before it, may need earlier pictures
  kSync,  // no later picture needs an earlier one (stream access points of type 1 and 2, ISO/IEC 14496-12 Annex I)
};

/// A keyframe of the container may be kOpen or kSync; the types of NAL units tell which, for H.264 and HEVC.
RandomAccess random_access_of(const AVPacket& picture, const AVCodecParameters& codec);

}  // namespace tributary::segmenter
