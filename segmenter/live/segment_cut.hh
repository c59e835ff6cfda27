#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "media/cmaf_reader.hh"
#include "presentation/track_parts.hh"

namespace tributary::segmenter {

/// A part of a prepared segment.
struct CutPart {
  std::string content;
  LivePart part;
};

/// Packs the samples of a CMAF segment anew, in a chunk for each part. A part ends with the sample whose end is nearest
/// to its cut; the last ends with the segment. `cuts`: ticks from the beginning of the segment, in decoding order.
/// Timestamps move by `moved` ticks; fragments are numbered from `first_fragment` on. Throws BoxError if a part would
/// have no sample.
std::vector<CutPart> cut_samples(std::string_view segment, const InitFacts& init, std::span<const std::uint64_t> cuts,
                                 std::uint64_t moved, std::uint32_t first_fragment);

/// The same for plain bytes, which are spread evenly over `ticks`.
std::vector<CutPart> cut_bytes(std::string_view segment, std::uint64_t ticks, std::span<const std::uint64_t> cuts);

}  // namespace tributary::segmenter
