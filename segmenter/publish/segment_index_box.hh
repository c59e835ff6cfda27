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

/// The content of the box for a track.
SegmentIndexBox segment_index_of(const Track& track);

/// The bytes of the box. Throws BoxError if there are too many segments, or too large ones, for a box.
std::vector<std::byte> write_segment_index(const SegmentIndexBox& index);

/// Throws BoxError if the bytes are no such box, or if the segments do not follow the box directly.
SegmentIndexBox read_segment_index(std::span<const std::byte> content);

}  // namespace tributary::segmenter
