#pragma once

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// How decoding can begin at a picture.
enum class RandomAccess {
  kNone,
  kOpen,  // a recovery point: pictures that come after it, and are shown before it, may need others before it
  kSync,  // nothing after it needs anything before it (stream access points of type 1 and 2, ISO/IEC 14496-12 Annex I)
};

/// What the container calls a keyframe may be either; of H.264 and HEVC, the types of its NAL units tell.
RandomAccess random_access_of(const AVPacket& picture, const AVCodecParameters& codec);

}  // namespace tributary::segmenter
