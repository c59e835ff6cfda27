#pragma once

#include "segmenter/libav/libav_handles.hh"
#include "segmenter/plan/ladder.hh"

namespace tributary::segmenter {

/// The meaning of a picture's numbers. Encoded pictures must state all three values; otherwise players guess, each by
/// the size of the quality that it plays.
struct Colors {
  AVColorPrimaries primaries = AVCOL_PRI_UNSPECIFIED;
  AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
  AVColorSpace matrix = AVCOL_SPC_UNSPECIFIED;

  bool operator==(const Colors&) const = default;
};

/// Fills in values that a source of that size does not state, or that are impossible, by the guess of players: BT.709
/// in HD, below that BT.601 of 625 lines or of 525.
Colors complete_colors(Colors stated, PictureSize size);

}  // namespace tributary::segmenter
