#include "hls/lines/playlist_lines.hh"

#include <fmt/format.h>

#include <algorithm>

#include "hls/lines/playlist_limits.hh"
#include "units/text/utf16.hh"

namespace tributary::hls {
namespace {

constexpr std::string_view kHeader = "#EXTM3U";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::size_t kMostQuoted = 60;
constexpr std::size_t kEnoughOfUtf16 = 4'096;  // bytes

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= kMostQuoted) return fmt::format("\"{}\"", text);
  std::size_t end = kMostQuoted;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a character
  return fmt::format("\"{}...\"", text.substr(0, end));
}

void PlaylistLine::refuse(std::string_view why) const {
  throw PlaylistError{is_address() ? fmt::format("line {}: {}", number, why)
                                   : fmt::format("line {}, {}: {}", number, tag, why)};
}

bool looks_like_playlist(std::string_view first_bytes) {
  if (const auto utf8 = from_utf16(first_bytes.substr(0, kEnoughOfUtf16))) return looks_like_playlist(*utf8);
  const std::string_view text = without_mark(first_bytes);
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size())).starts_with(kHeader);
}

PlaylistLines::PlaylistLines(std::string_view text) : rest_{without_mark(text)} {
  if (text.size() > kMaxPlaylistSize) {
    throw PlaylistError{
        fmt::format("the playlist has {} bytes; at most {} bytes are read", text.size(), kMaxPlaylistSize)};
  }
  if (!looks_like_playlist(text)) throw PlaylistError{"line 1: a playlist begins with #EXTM3U, and this text does not"};
  while (trimmed(*take_line()).empty()) {
  }
}

std::optional<std::string_view> PlaylistLines::take_line() {
  if (rest_.empty()) return std::nullopt;
  if (++number_ > kMaxLines) throw PlaylistError{fmt::format("line {}: at most {} lines are read", number_, kMaxLines)};
  const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
  if (end > kMaxLineLength) {
    throw PlaylistError{
        fmt::format("line {}: the line has {} bytes; at most {} are read", number_, end, kMaxLineLength)};
  }
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + (rest_.substr(end).starts_with("\r\n") ? 2 : 1), rest_.size()));
  return line;
}

std::optional<PlaylistLine> PlaylistLines::next() {
  while (const auto taken = take_line()) {
    const std::string_view line = trimmed(*taken);
    if (line.empty()) continue;
    if (line.front() != '#') return PlaylistLine{number_, {}, line};
    if (!line.starts_with("#EXT")) continue;
    const std::size_t colon = std::min(line.find(':'), line.size());
    return PlaylistLine{number_, trimmed(line.substr(1, colon - 1)),
                        trimmed(line.substr(std::min(colon + 1, line.size())))};
  }
  return std::nullopt;
}

}  // namespace tributary::hls
