#include "segmenter/libav/display_turn.hh"

extern "C" {
#include <libavutil/display.h>
}

#include <cmath>

namespace tributary::segmenter {

int quarter_turns_of(const AVStream& stream) {
  const auto* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr);
  if (matrix == nullptr) return 0;
  const double counterclockwise = av_display_rotation_get(reinterpret_cast<const std::int32_t*>(matrix));
  if (std::isnan(counterclockwise)) return 0;
  return (4 - static_cast<int>(std::lround(counterclockwise / 90)) % 4) % 4;
}

}  // namespace tributary::segmenter
