// Reads playlists, and says of each in a line what it is or why it is refused.
//   list_playlist [--json] FILE...
// --json: a line of JSON for each, with all variants or segments, as tests/manifests/listing.py takes it.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "units/overloaded.hh"

using namespace tributary;
using namespace tributary::hls;

namespace {

std::string summary(const MultivariantPlaylist& playlist) {
  return std::to_string(playlist.variants.size()) + " variants, " + std::to_string(playlist.renditions.size()) +
         " renditions";
}
std::string summary(const MediaPlaylist& playlist) {
  Duration total{};
  for (const MediaSegment& segment : playlist.segments) total += segment.duration;
  return std::to_string(playlist.segments.size()) + " segments, " + std::to_string(to_seconds(total)) + " s" +
         (playlist.ended ? "" : ", live");
}

nlohmann::json json_of(const std::optional<ByteRange>& range) {
  if (!range) return nullptr;
  return {range->begin.bytes(), range->end.bytes()};
}

nlohmann::json json_of(const MediaPlaylist& playlist, std::optional<std::size_t> key, std::uint64_t sequence) {
  if (!key) return nullptr;
  const EncryptionKey& stated = playlist.keys[*key];
  std::string vector;
  for (const std::byte one : initialization_vector(stated, sequence)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    vector += kDigits[std::to_integer<std::size_t>(one >> 4)];
    vector += kDigits[std::to_integer<std::size_t>(one & std::byte{15})];
  }
  return {{"method", stated.method_name}, {"format", stated.format}, {"uri", stated.uri}, {"iv", vector}};
}

nlohmann::json json_of(const std::vector<Variant>& variants) {
  auto json = nlohmann::json::array();
  for (const Variant& variant : variants) {
    json.push_back({{"uri", variant.uri},
                    {"bandwidth", variant.bandwidth.bits_per_second()},
                    {"codecs", variant.codecs},
                    {"audio", variant.audio},
                    {"subtitles", variant.subtitles}});
  }
  return json;
}

nlohmann::json json_of(const MultivariantPlaylist& playlist) {
  auto renditions = nlohmann::json::array();
  for (const Rendition& rendition : playlist.renditions) {
    renditions.push_back({{"group", rendition.group}, {"name", rendition.name}, {"lang", rendition.language}});
    renditions.back()["uri"] = rendition.uri ? nlohmann::json(*rendition.uri) : nullptr;
  }
  return {{"variants", json_of(playlist.variants)},
          {"i_frame_variants", json_of(playlist.i_frame_variants)},
          {"image_variants", json_of(playlist.image_variants)},
          {"renditions", std::move(renditions)},
          {"unplayable", why_unplayable(playlist).value_or("")}};
}

nlohmann::json json_of(const MediaPlaylist& playlist) {
  auto segments = nlohmann::json::array();
  for (const MediaSegment& segment : playlist.segments) {
    segments.push_back({{"uri", segment.uri},
                        {"range", json_of(segment.range)},
                        {"duration", to_seconds(segment.duration)},
                        {"sequence", segment.sequence},
                        {"discontinuity", segment.discontinuity},
                        {"date", segment.date ? utc_text(*segment.date) : ""},
                        {"gap", segment.gap},
                        {"key", json_of(playlist, segment.key, segment.sequence)}});
    if (segment.map) {
      const InitSection& map = playlist.maps[*segment.map];
      segments.back()["init"] = {{"uri", map.uri}, {"range", json_of(map.range)}};
    }
  }
  return {{"ended", playlist.ended},
          {"i_frames_only", playlist.i_frames_only},
          {"target_duration", to_seconds(playlist.target_duration)},
          {"segments", std::move(segments)},
          {"unplayable", why_unplayable(playlist).value_or("")}};
}

std::string json_of(const std::string& text) {
  nlohmann::json json;
  try {
    json = std::visit([](const auto& playlist) { return json_of(playlist); }, read_playlist(text));
  } catch (const PlaylistError& error) {
    json = {{"refused", error.what()}};
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string told_of(const std::string& text) {
  try {
    return std::visit(
        [](const auto& playlist) {
          const auto why = why_unplayable(playlist);
          return "read " + summary(playlist) + (why ? "; unplayable: " + *why : "");
        },
        read_playlist(text));
  } catch (const PlaylistError& error) {
    return std::string{"refused "} + error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names{argv + 1, argv + argc};
  const bool as_json = std::erase(names, "--json") > 0;
  for (const std::string& name : names) {
    std::ifstream file{name, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
    std::printf("%s\n", (as_json ? json_of(text) : told_of(text)).c_str());
  }
}
