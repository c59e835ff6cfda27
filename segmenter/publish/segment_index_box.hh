#pragma once

#include <cstdint>
#include <vector>

#include "media/iso_box.hh"
#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// A sidx box (ISO/IEC 14496-12 section 8.16.3), which stands before the segments of a track that share a file.
struct SegmentIndexBox {
  struct Reference {
    std::uint64_t bytes = 0, ticks = 0;
    bool starts_with_sync = false;
    bool operator==(const Reference&) const = default;
  };
  std::uint32_t timescale = 0;
  std::uint64_t begin = 0;  // presentation time of the first segment
  std::vector<Reference> segments;
};

inline constexpr std::size_t kMostReferences = 65535;

/// What it says of a track.
SegmentIndexBox segment_index_of(const Track& track);

/// The box. Throws BoxError when there are too many segments, or too large ones, to stand in it.
std::vector<std::byte> write_segment_index(const SegmentIndexBox& index);

/// Throws BoxError when the bytes are not such a box, or one whose segments do not follow at once.
SegmentIndexBox read_segment_index(std::span<const std::byte> content);

}  // namespace tributary::segmenter
