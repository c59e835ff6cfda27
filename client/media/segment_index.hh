#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "media/iso_box.hh"
#include "units/byte_range.hh"

namespace tributary {

/// Bytes that an index refers to; they follow each other without a gap, in bytes and in time.
struct IndexReference {
  ByteRange range;             // within the file; not empty
  std::int64_t start = 0;      // ticks: the earliest time at which a sample of it is shown
  std::int64_t duration = 0;   // ticks; may be 0
  bool further_index = false;  // the bytes are an index, too: it must be read, and its references taken instead
  bool starts_with_sync = false;

  bool operator==(const IndexReference&) const = default;
};

struct IndexBox {
  std::uint32_t timescale = 1;             // ticks per second
  DataSize end;                            // of the box; from there on, it counts the offset of its first reference
  std::vector<IndexReference> references;  // at most 65535, as the box counts them in 16 bits
};

/// Reads the first `sidx` box (ISO/IEC 14496-12 section 8.16.3) of these bytes, which begin at `begin` of their file.
/// Other boxes may stand before it, and anything behind it. Throws BoxError if there is none, or if it does not end
/// within the bytes.
IndexBox read_segment_index(std::span<const std::byte> bytes, DataSize begin);

}  // namespace tributary
