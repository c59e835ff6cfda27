#pragma once

#include <nlohmann/json_fwd.hpp>

#include "presentation/json/json_node.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// "parts" of a track whose segments have been read. Throws JsonError with its place: the segments follow one another,
/// and those that the track lists last as long, and have as many bytes, as their parts.
TrackParts read_parts(const JsonNode& node, const Track& track);

nlohmann::ordered_json write_parts(const TrackParts& parts);

}  // namespace tributary
