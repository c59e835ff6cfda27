#include "presentation/track_parts.hh"

#include <fmt/format.h>

#include "presentation/resource_uri.hh"

namespace tributary {

std::string TrackParts::part_uri(std::uint64_t segment, std::size_t part) const {
  return numbered(with_part_number(uri, part), segment);
}

}  // namespace tributary
