#include "proxy/rewriting/live_edge.hh"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tributary::proxy {
namespace {

std::optional<std::uint64_t> number_of(std::string_view directives, std::string_view name) {
  const std::size_t at = directives.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = directives.substr(at + name.size());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return number;
}

}  // namespace

LiveEdge edge_of(const hls::MediaPlaylist& playlist) {
  constexpr Duration kLeast = std::chrono::milliseconds{1};
  const Duration segment = std::max(playlist.target_duration, kLeast);
  LiveEdge edge{.holds = playlist.server_control.can_block_reload,
                .part = std::max(playlist.server_control.part_target.value_or(segment), kLeast),
                .segment = segment,
                .sequence = playlist.media_sequence};
  if (!playlist.segments.empty()) edge.sequence = playlist.segments.back().sequence + 1;
  if (playlist.open) edge.parts = playlist.open->parts.size();
  return edge;
}

Duration held_for(std::string_view directives, const LiveEdge& edge) {
  constexpr std::uint64_t kMostSegments = 3, kMostParts = 1'000;
  const auto sequence = number_of(directives, "_HLS_msn=");
  if (!edge.holds || !sequence || *sequence < edge.sequence) return {};
  const auto part = number_of(directives, "_HLS_part=");
  const auto segments = static_cast<int>(std::min(*sequence - edge.sequence, kMostSegments));
  Duration wait = segments * edge.segment;
  wait += part ? static_cast<int>(std::min(*part, kMostParts) + 1) * edge.part : edge.segment;
  wait -= static_cast<int>(std::min(edge.parts, kMostParts)) * edge.part;
  return std::clamp(wait, edge.part, std::max(edge.part, static_cast<int>(kMostSegments) * edge.segment)) +
         edge.part / 2;
}

}  // namespace tributary::proxy
