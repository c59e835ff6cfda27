#include "hls/channel_list.hh"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "hls/lines/playlist_lines.hh"
#include "units/text/plain_text.hh"
#include "units/text/utf16.hh"

namespace tributary::hls {
namespace {

/// Each byte is a character of that number.
std::string utf8_of_latin_1(std::string_view text) {
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) utf8 += static_cast<char>(0xc0 | byte >> 6);
    utf8 += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3f));
  }
  return utf8;
}

/// The value of an EXTINF: "-1 tvg-id="a,b" group-title="News",The name".
struct ChannelInfo {
  std::string_view duration, attributes, name;
};

ChannelInfo info_of(std::string_view value) {
  std::size_t comma = 0;
  for (bool quoted = false; comma < value.size() && (quoted || value[comma] != ','); ++comma) {
    if (value[comma] == '"') quoted = !quoted;
  }
  if (comma == value.size()) comma = std::min(value.find(','), value.size());  // a quotation without an end
  const std::string_view before = value.substr(0, comma);
  const std::size_t blank = std::min(before.find_first_of(" \t"), before.size());
  return {before.substr(0, blank), trimmed(before.substr(blank)),
          trimmed(value.substr(std::min(comma + 1, value.size())))};
}

bool is_channel(const ChannelInfo& info) {
  return info.duration.starts_with('-') || info.attributes.find('=') != std::string_view::npos;
}

// Segments of HLS have other suffixes; those without an EXT-X-MAP are no MP4.
constexpr std::array<std::string_view, 16> kFiles{"mp3",  "mp4",  "m4a", "m4v", "mkv", "mka", "webm", "ogg",
                                                  "opus", "flac", "wav", "avi", "mov", "mpg", "wma",  "wmv"};
constexpr std::array<std::string_view, 3> kManifests{"m3u", "m3u8", "mpd"};

bool has_suffix(std::string_view uri, std::span<const std::string_view> suffixes) {
  uri = uri.substr(0, uri.find_first_of("?#"));
  const std::size_t dot = uri.rfind('.');
  return dot != std::string_view::npos &&
         std::ranges::find(suffixes, without_case(uri.substr(dot + 1))) != suffixes.end();
}

/// Decided by the first EXTINF and the first address, but for a tag of HLS anywhere.
bool lists_channels(PlaylistLines lines) {
  std::optional<bool> channels, files;
  while (const auto line = lines.next()) {
    if (line->tag.starts_with("EXT-X-")) return false;
    if (line->tag == "EXTINF" && !channels) channels = is_channel(info_of(line->value));
    if (line->is_address() && !files) files = has_suffix(line->value, kFiles) || has_suffix(line->value, kManifests);
  }
  return channels.value_or(false) || files.value_or(false);
}

}  // namespace

bool is_file(const Channel& channel) { return has_suffix(channel.uri, kFiles); }

std::optional<std::vector<Channel>> read_channels(std::string_view text) {
  if (const auto utf8 = from_utf16(text)) return read_channels(*utf8);
  PlaylistLines lines{text};
  if (!lists_channels(lines)) return std::nullopt;
  std::vector<Channel> channels;
  std::string name;
  while (const auto line = lines.next()) {
    if (line->tag == "EXTINF") {
      const std::string_view stated = info_of(line->value).name;
      name = as_one_line(is_utf8(stated) ? std::string{stated} : utf8_of_latin_1(stated));
    } else if (line->is_address()) {
      channels.push_back({std::exchange(name, {}), std::string{line->value}});
    }
  }
  return channels;
}

}  // namespace tributary::hls
