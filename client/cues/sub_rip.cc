#include "cues/sub_rip.hh"

#include <iconv.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>

#include "cues/web_vtt.hh"
#include "units/text/plain_text.hh"

namespace tributary {
namespace {

struct CloseConversion {
  void operator()(iconv_t conversion) const { iconv_close(conversion); }
};

/// Bytes without a meaning are left out.
std::string utf8_of_windows_1252(std::string_view text) {
  const iconv_t opened = iconv_open("UTF-8", "WINDOWS-1252");
  if (std::bit_cast<std::intptr_t>(opened) == -1) return std::string{text};
  const std::unique_ptr<void, CloseConversion> conversion{opened};
  std::string from{text}, to(3 * text.size(), '\0');  // no character of it has more than three bytes in UTF-8
  char *in = from.data(), *out = to.data();
  std::size_t left = from.size(), room = to.size();
  while (left > 0 && iconv(opened, &in, &left, &out, &room) == static_cast<std::size_t>(-1)) {
    ++in;
    --left;
  }
  to.resize(to.size() - room);
  return to;
}

/// Without commands such as "{\an8}", which place a cue on the screen.
std::string sub_rip_markup(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t begin = text.find("{\\");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('}', begin);
    shown += text.substr(0, end == std::string_view::npos ? text.size() : begin);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return cue_markup(shown);
}

}  // namespace

bool looks_like_sub_rip(std::string_view text) {
  constexpr std::size_t kSoon = 1'000;
  return text.substr(0, kSoon).find("-->") != std::string_view::npos;
}

std::vector<Cue> read_sub_rip(std::string_view text) {
  if (is_utf8(text)) return read_cue_blocks(text, sub_rip_markup);
  return read_cue_blocks(utf8_of_windows_1252(text), sub_rip_markup);
}

}  // namespace tributary
