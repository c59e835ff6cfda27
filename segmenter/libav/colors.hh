#pragma once

#include "segmenter/libav/libav_handles.hh"
#include "segmenter/plan/ladder.hh"

namespace tributary::segmenter {

/// What the numbers of a picture mean; all of it is stated in what is encoded, or players guess, each by the size of the
/// quality it plays.
struct Colors {
  AVColorPrimaries primaries = AVCOL_PRI_UNSPECIFIED;
  AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
  AVColorSpace matrix = AVCOL_SPC_UNSPECIFIED;

  bool operator==(const Colors&) const = default;
};

/// What a source of that size does not state, or states but cannot be, is what players take it for: BT.709 in HD, and
/// below it BT.601, of 625 lines or of 525.
Colors complete_colors(Colors stated, PictureSize size);

}  // namespace tributary::segmenter
