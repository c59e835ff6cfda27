#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "units/data_rate.hh"
#include "units/data_size.hh"

namespace tributary::segmenter {

struct SyntheticQuality {
  std::string name;
  DataRate rate;                // nominal
  std::vector<DataSize> sizes;  // one a segment

  bool operator==(const SyntheticQuality&) const = default;
};

/// A movie without content: only its sizes matter.
struct SyntheticMovie {
  std::uint32_t segment_ms = 2000;
  std::vector<SyntheticQuality> qualities;  // lowest first; all have the same number of segments

  bool operator==(const SyntheticMovie&) const = default;
};

/// Reads {"segment_duration_ms": 2000, "bitrates_kbps": [...], "quality_names": [...],
/// "segment_sizes_bits": [[one size a quality], one array a segment]}. Without names they are q0, q1, ...
/// Sizes are rounded to bytes. Throws JsonError with the place.
SyntheticMovie read_movie(std::string_view json);

/// An invented movie like the football match of Evensen's thesis. In each of the four qualities, the smallest, average
/// and largest segment are those of the thesis' Table 4.1, to the byte. Sizes vary from segment to segment as in a clip
/// with constant quality: scenes of some segments with bursts, the same in all qualities. Segment 0 is neither the
/// smallest nor the largest. The result depends only on the arguments. `segments`: at least 10.
SyntheticMovie thesis_movie(std::uint64_t seed, std::size_t segments);
constexpr std::size_t kThesisSegments = 100;

}  // namespace tributary::segmenter
