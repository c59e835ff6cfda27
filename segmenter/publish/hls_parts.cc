#include "segmenter/publish/hls_parts.hh"

#include <fmt/format.h>

#include <algorithm>

#include "segmenter/libav/track_time.hh"
#include "segmenter/publish/hls_playlist.hh"

namespace tributary::segmenter {
namespace {

/// The number of the last segment with parts, and the index of its last part.
std::pair<std::uint64_t, std::size_t> last_part(const TrackParts& parts) {
  const SegmentParts& last = parts.segments.back();
  return {last.segment, last.parts.size() - 1};
}

}  // namespace

std::int64_t part_target(const Presentation& presentation) {
  std::uint64_t longest = 0;
  for (const Track& track : presentation.tracks) {
    if (!track.parts) continue;
    const std::uint64_t scale = track.timescale;
    longest = std::max(longest, (track.parts->target * kHlsTicks + scale - 1) / scale);
  }
  return static_cast<std::int64_t>(longest);
}

std::string hls_part_head(const Presentation& presentation, std::int64_t target_duration) {
  const std::int64_t part = part_target(presentation), segment = target_duration * kHlsTicks;
  // Three parts are the least. Without a server that holds requests, players such as hls.js 1.7 load a playlist anew only
  // once in a target duration, and need as much in their buffers.
  const std::int64_t hold_back = std::max(3 * part, segment + 2 * part);
  return fmt::format("#EXT-X-SERVER-CONTROL:HOLD-BACK={},PART-HOLD-BACK={}\n#EXT-X-PART-INF:PART-TARGET={}\n",
                     hls_seconds(3 * segment), hls_seconds(hold_back), hls_seconds(part));
}

std::string hls_parts_of(const Track& track, std::uint64_t segment, std::uint64_t begin) {
  if (!track.parts) return "";
  const auto found = std::ranges::find(track.parts->segments, segment, &SegmentParts::segment);
  if (found == track.parts->segments.end()) return "";
  std::string out;
  // Rounded sums, as of segments, so that parts add up to their segment.
  std::uint64_t end = begin;
  std::int64_t stated = rounded(begin, track.timescale, kHlsTicks);
  for (std::size_t i = 0; i < found->parts.size(); ++i) {
    end += found->parts[i].ticks;
    const std::int64_t duration = rounded(end, track.timescale, kHlsTicks) - stated;
    stated += duration;
    out += fmt::format("#EXT-X-PART:DURATION={},URI=\"{}\"{}\n", hls_seconds(duration),
                       below_playlist(track.id, track.parts->part_uri(segment, i)),
                       found->parts[i].independent ? ",INDEPENDENT=YES" : "");
  }
  return out;
}

std::string hls_part_tail(const Presentation& presentation, const Track& track) {
  if (!track.parts || track.parts->segments.empty()) return "";
  std::string out;
  for (const Track& other : presentation.tracks) {
    if (other.id == track.id || !other.parts || other.parts->segments.empty()) continue;
    const auto [last_segment, last_index] = last_part(*other.parts);
    out += fmt::format("#EXT-X-RENDITION-REPORT:URI=\"{}\",LAST-MSN={},LAST-PART={}\n",
                       below_playlist(track.id, media_playlist_name(other)), last_segment, last_index);
  }
  return out;
}

std::string hls_seconds(std::int64_t microseconds) {
  return fmt::format("{}.{:06}", microseconds / kHlsTicks, microseconds % kHlsTicks);
}

std::string below_playlist(const std::string& folder, const std::string& uri) {
  const std::string directory = folder + "/";
  return uri.starts_with(directory) ? uri.substr(directory.size()) : "../" + uri;
}

}  // namespace tributary::segmenter
