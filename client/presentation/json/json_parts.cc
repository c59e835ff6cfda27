#include "presentation/json/json_parts.hh"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "presentation/resource_uri.hh"
#include "presentation/segment_limits.hh"

namespace tributary {
namespace {

LivePart read_part(const JsonNode& node, std::uint64_t target) {
  if (node.size() != 3) node.refuse("a part is [ticks, bytes, independent]");
  const auto most = static_cast<std::int64_t>(target);
  return {
      static_cast<std::uint64_t>(node.element(0).integer(fmt::format("a duration of up to {} ticks", target), 1, most)),
      DataSize{node.element(1).integer("the size of a part", 1, kLargestSegment.bytes())},
      node.element(2).integer("0 or 1", 0, 1) == 1};
}

/// The sums stay small: there are as many parts as the text has, and none is long or large.
void check_sums(const JsonNode& node, const SegmentParts& read, const Track& track) {
  std::uint64_t ticks = 0;
  DataSize size;
  for (const LivePart& part : read.parts) {
    ticks += part.ticks;
    size += part.size;
  }
  const std::uint64_t index = read.segment - track.first_number;
  const bool unfinished = index == track.sizes.size();
  if (unfinished && size > kLargestSegment) node.refuse(fmt::format("{} bytes are too many", size.bytes()));
  if (unfinished) return;
  if (ticks != track.durations[index])
    node.refuse(fmt::format("the parts last {} ticks, but the segment {}", ticks, track.durations[index]));
  if (size != track.sizes[index])
    node.refuse(fmt::format("the parts have {} bytes, but the segment {}", size.bytes(), track.sizes[index].bytes()));
}

/// The first has any number that is listed, or that of the unfinished segment; others follow one another.
std::uint64_t read_number(const JsonNode& node, const Track& track, const TrackParts& before) {
  auto least = static_cast<std::int64_t>(track.first_number);
  auto most = least + static_cast<std::int64_t>(track.sizes.size());
  if (!before.segments.empty()) {
    if (static_cast<std::int64_t>(before.segments.back().segment) == most)
      node.refuse("nothing follows the unfinished segment");
    least = most = static_cast<std::int64_t>(before.segments.back().segment) + 1;
  }
  const std::string what = fmt::format("the number of the next segment, from {} to {}", least, most);
  return static_cast<std::uint64_t>(node.integer(what, least, most));
}

SegmentParts read_segment(const JsonNode& node, const Track& track, const TrackParts& before) {
  if (node.size() != 2) node.refuse("the parts of a segment are [number, parts]");
  SegmentParts read{read_number(node.element(0), track, before), {}};
  const JsonNode list = node.element(1);
  for (std::size_t i = 0; i < list.size(); ++i) read.parts.push_back(read_part(list.element(i), before.target));
  if (read.parts.empty()) list.refuse("no part");
  check_sums(node, read, track);
  return read;
}

}  // namespace

TrackParts read_parts(const JsonNode& node, const Track& track) {
  TrackParts parts;
  const JsonNode uri = node.member("uri");
  parts.uri = uri.text();
  if (const auto why = why_not_part_pattern(parts.uri)) uri.refuse(*why);
  // Shorter than 2^31 ticks: so no sum of them overflows.
  constexpr auto kLongest = std::numeric_limits<std::int32_t>::max();
  parts.target = static_cast<std::uint64_t>(node.member("target").integer("a duration in ticks", 1, kLongest));
  const JsonNode segments = node.member("segments");
  for (std::size_t i = 0; i < segments.size(); ++i)
    parts.segments.push_back(read_segment(segments.element(i), track, parts));
  return parts;
}

nlohmann::ordered_json write_parts(const TrackParts& parts) {
  using nlohmann::ordered_json;
  ordered_json segments = ordered_json::array();
  for (const SegmentParts& segment : parts.segments) {
    ordered_json list = ordered_json::array();
    for (const LivePart& part : segment.parts)
      list.push_back({part.ticks, part.size.bytes(), part.independent ? 1 : 0});
    segments.push_back(ordered_json::array({segment.segment, std::move(list)}));
  }
  return {{"uri", parts.uri}, {"target", parts.target}, {"segments", std::move(segments)}};
}

}  // namespace tributary
