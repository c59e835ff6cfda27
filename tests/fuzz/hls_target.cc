// Playlists of HTTP Live Streaming: what is accepted is within its bounds, and what refers to something refers to
// what is there. Behind a line of "====", the input has a later version, which may leave out what the first one lists.
#include <cmath>
#include <string>

#include "fuzz_target.hh"
#include "hls/lines/playlist_limits.hh"
#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"

using namespace tributary;
using namespace tributary::hls;

namespace {

void require_range(const std::optional<ByteRange>& range) {
  if (range) fuzz::require(range->begin >= DataSize{} && !range->empty() && range->end <= kMaxFileSize);
}

void require_address(const std::string& uri) {
  fuzz::require(!uri.empty() && uri.size() <= kMaxLineLength);
  for (const char c : uri) fuzz::require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

void require_rate(const DataRate& rate) {
  fuzz::require(std::isfinite(rate.bits_per_second()) && rate.bits_per_second() >= 0);
}

void examine(const MediaSegment& segment, const MediaPlaylist& playlist) {
  require_address(segment.uri);
  require_range(segment.range);
  fuzz::require(segment.duration >= Duration::zero() && segment.duration <= kMaxDuration);
  fuzz::require(!segment.map || *segment.map < playlist.maps.size());
  fuzz::require(!segment.key || *segment.key < playlist.keys.size());
  fuzz::require(segment.discontinuity >= playlist.discontinuity_sequence);
  if (segment.bitrate) require_rate(*segment.bitrate);
  if (segment.key) (void)initialization_vector(playlist.keys[*segment.key], segment.sequence);
}

void examine(const MediaPlaylist& playlist) {
  fuzz::require(playlist.segments.size() <= kMaxSegments && playlist.target_duration >= Duration::zero());
  Duration total{};
  std::uint64_t sequence = playlist.media_sequence;
  for (const MediaSegment& segment : playlist.segments) {
    examine(segment, playlist);
    fuzz::require(segment.sequence == sequence++);
    total += segment.duration;
  }
  fuzz::require(total <= kMaxTotalDuration);
  for (const InitSection& map : playlist.maps) {
    require_address(map.uri);
    require_range(map.range);
    fuzz::require(!map.key || *map.key < playlist.keys.size());
  }
}

void examine(const MultivariantPlaylist& playlist) {
  fuzz::require(playlist.renditions.size() <= kMaxRenditions);
  fuzz::require(playlist.variants.size() + playlist.i_frame_variants.size() + playlist.image_variants.size() <=
                kMaxVariants);
  for (const auto* const variants : {&playlist.variants, &playlist.i_frame_variants, &playlist.image_variants}) {
    for (const Variant& variant : *variants) {
      require_address(variant.uri);
      require_rate(variant.bandwidth);
    }
  }
  for (const Rendition& rendition : playlist.renditions) {
    fuzz::require(!rendition.group.empty());
    if (rendition.uri) require_address(*rendition.uri);
  }
}

/// Nothing: it is refused.
std::optional<Playlist> read(std::string_view text, const MediaPlaylist* before) {
  const PlaylistVariables outside{{{"a", "imported"}, {"token", "{$a}"}}, "a=1&token=%2fx+y&b"};
  try {
    Playlist playlist = read_playlist(text, outside, before);
    fuzz::require(looks_like_playlist(text));
    fuzz::require(read_playlist(text, outside, before) == playlist);
    std::visit(
        [](const auto& read) {
          examine(read);
          fuzz::require(why_unplayable(read).value_or("x").size() < 4'000);
        },
        playlist);
    return playlist;
  } catch (const PlaylistError& error) {
    fuzz::require(*error.what() != '\0');
  }
  return std::nullopt;
}

void examine_later(const MediaPlaylist& later, const MediaPlaylist& before) {
  fuzz::require(later.skipped <= later.segments.size());
  for (std::size_t i = 0; i < later.skipped; ++i) {
    const MediaSegment& segment = later.segments[i];
    const MediaSegment& known = before.segments.at(segment.sequence - before.media_sequence);
    fuzz::require(known.uri == segment.uri && known.range == segment.range && known.date == segment.date);
    fuzz::require(!segment.map || later.maps[*segment.map].uri == before.maps.at(*known.map).uri);
    fuzz::require(!segment.key || later.keys[*segment.key] == before.keys.at(*known.key));
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  constexpr std::string_view kDivider = "\n====\n";
  const std::size_t end = text.find(kDivider);
  const auto playlist = read(text.substr(0, end), nullptr);
  const auto* const media = playlist ? std::get_if<MediaPlaylist>(&*playlist) : nullptr;
  if (media == nullptr || end == std::string_view::npos) return 0;
  const auto later = read(text.substr(end + kDivider.size()), media);
  if (later && std::holds_alternative<MediaPlaylist>(*later)) examine_later(std::get<MediaPlaylist>(*later), *media);
  return 0;
}
