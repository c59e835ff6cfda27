#include "cues/text_file.hh"

#include <string_view>
#include <utility>

#include "cues/sub_rip.hh"
#include "cues/text_fragments.hh"
#include "cues/ttml.hh"
#include "cues/web_vtt.hh"

namespace tributary {
namespace {

bool is_xml(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;  // UTF-16
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

bool is_web_vtt(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text.starts_with("WEBVTT");
}

}  // namespace

TextFile read_text_file(std::span<const std::byte> content, std::span<const std::byte> init) {
  const std::string_view text{reinterpret_cast<const char*>(content.data()), content.size()};
  TextFile file;
  constexpr std::string_view kNoType{"\0", 1};
  // The size of a box, which no text begins with.
  if (!init.empty() || text.starts_with(kNoType)) {
    file.cues = read_text_fragments(content, init);
    file.clock = TextFile::Clock::kMedia;
  } else if (is_xml(text)) {
    file.cues = read_ttml(text);
  } else {
    WebVtt vtt = read_web_vtt(text);
    file.cues = std::move(vtt.cues);
    if (vtt.zero) {
      file.clock = TextFile::Clock::kTransport;
      file.zero = *vtt.zero;
    }
  }
  return file;
}

TextFile read_users_text_file(std::span<const std::byte> content) {
  const std::string_view text{reinterpret_cast<const char*>(content.data()), content.size()};
  const bool is_binary = text.find('\0') != std::string_view::npos;
  if (is_binary || is_xml(text) || is_web_vtt(text) || !looks_like_sub_rip(text)) return read_text_file(content);
  TextFile file;
  file.cues = read_sub_rip(text);
  return file;
}

}  // namespace tributary
