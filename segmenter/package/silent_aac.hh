#pragma once

#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// A frame of AAC that is silent, for sound of this form; null where its channels are in no usual order, or it is another
/// kind than AAC-LC or HE-AAC: such a frame could not be told from damage.
PacketHandle silent_aac_frame(const AVCodecParameters& sound);

}  // namespace tributary::segmenter
