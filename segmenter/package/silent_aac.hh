#pragma once

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// A silent frame of AAC for sound of this form. Null if the channels are in no usual order, or if the sound is neither
/// AAC-LC nor HE-AAC: the frame could not be told from damage.
PacketHandle silent_aac_frame(const AVCodecParameters& sound);

}  // namespace tributary::segmenter
