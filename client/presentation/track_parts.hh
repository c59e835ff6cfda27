#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "units/data_size.hh"

namespace tributary {

/// A CMAF chunk of a live segment that is a file of its own, so that players need not wait for the rest.
struct LivePart {
  std::uint64_t ticks = 0;  // duration
  DataSize size;
  bool independent = false;  // decodable without the parts before it

  bool operator==(const LivePart&) const = default;
};

/// The parts of one segment, from its beginning on.
struct SegmentParts {
  std::uint64_t segment = 0;  // its number
  std::vector<LivePart> parts;

  bool operator==(const SegmentParts&) const = default;
};

/// The parts of a live track's last segments. The last of these may be unfinished; the track does not list that yet.
/// A segment that is listed has the bytes of its parts, one after the other.
struct TrackParts {
  std::string uri{};         // "low/{n:05}.{p}.m4s"; {n} is the number of the segment, {p} that of the part, from 0 on
  std::uint64_t target = 1;  // ticks; no part is longer
  std::vector<SegmentParts> segments{};

  /// The name of a part of the segment with that number; `part` counts from 0. The part need not be listed.
  std::string part_uri(std::uint64_t segment, std::size_t part) const;

  bool operator==(const TrackParts&) const = default;
};

}  // namespace tributary
