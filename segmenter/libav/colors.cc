#include "segmenter/libav/colors.hh"

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace tributary::segmenter {
namespace {

bool is_high_definition(PictureSize size) { return size.width >= 1280 || size.height > 576; }

AVColorSpace guess_matrix(PictureSize size) {
  if (is_high_definition(size)) return AVCOL_SPC_BT709;
  return size.height == 576 ? AVCOL_SPC_BT470BG : AVCOL_SPC_SMPTE170M;
}

/// The matrix tells the primaries, except that BT.601 has two sets.
AVColorPrimaries guess_primaries(AVColorSpace matrix, PictureSize size) {
  switch (matrix) {
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return AVCOL_PRI_BT2020;
    case AVCOL_SPC_BT470BG:
      return AVCOL_PRI_BT470BG;
    case AVCOL_SPC_SMPTE170M:
      return size.height == 576 ? AVCOL_PRI_BT470BG : AVCOL_PRI_SMPTE170M;
    case AVCOL_SPC_SMPTE240M:
      return AVCOL_PRI_SMPTE240M;
    default:
      return AVCOL_PRI_BT709;
  }
}

/// All matrices but one go with the same curve.
AVColorTransferCharacteristic guess_transfer(AVColorSpace matrix) {
  switch (matrix) {
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return AVCOL_TRC_BT2020_10;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
      return AVCOL_TRC_SMPTE170M;
    case AVCOL_SPC_SMPTE240M:
      return AVCOL_TRC_SMPTE240M;
    default:
      return AVCOL_TRC_BT709;
  }
}

}  // namespace

Colors complete_colors(Colors stated, PictureSize size) {
  // Numbers that no table has count as unstated, and so does a matrix of RGB, because encoded pictures are not RGB.
  if (av_color_primaries_name(stated.primaries) == nullptr || stated.primaries == AVCOL_PRI_RESERVED0 ||
      stated.primaries == AVCOL_PRI_RESERVED)
    stated.primaries = AVCOL_PRI_UNSPECIFIED;
  if (av_color_transfer_name(stated.transfer) == nullptr || stated.transfer == AVCOL_TRC_RESERVED0 ||
      stated.transfer == AVCOL_TRC_RESERVED)
    stated.transfer = AVCOL_TRC_UNSPECIFIED;
  if (av_color_space_name(stated.matrix) == nullptr || stated.matrix == AVCOL_SPC_RESERVED ||
      stated.matrix == AVCOL_SPC_RGB)
    stated.matrix = AVCOL_SPC_UNSPECIFIED;

  if (stated.matrix == AVCOL_SPC_UNSPECIFIED) stated.matrix = guess_matrix(size);
  if (stated.primaries == AVCOL_PRI_UNSPECIFIED) stated.primaries = guess_primaries(stated.matrix, size);
  if (stated.transfer == AVCOL_TRC_UNSPECIFIED) stated.transfer = guess_transfer(stated.matrix);
  return stated;
}

}  // namespace tributary::segmenter
