#include "cues/web_vtt.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "cues/markup.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kBlanks = " \t\f";
constexpr std::string_view kArrow = "-->";

struct NamedText {
  std::string_view name, text;
};
constexpr std::array<NamedText, 8> kEntities{{{"amp", "&"},
                                              {"lt", "<"},
                                              {"gt", ">"},
                                              {"quot", "\""},
                                              {"apos", "'"},
                                              {"nbsp", "\u00a0"},
                                              {"lrm", "\u200e"},
                                              {"rlm", "\u200f"}}};
/// Classes of colours (WebVTT section 5.1). White is what all text has.
constexpr std::array<NamedText, 7> kColors{{{"lime", "#00ff00"},
                                            {"cyan", "#00ffff"},
                                            {"red", "#ff0000"},
                                            {"yellow", "#ffff00"},
                                            {"magenta", "#ff00ff"},
                                            {"blue", "#0000ff"},
                                            {"black", "#000000"}}};

template <std::size_t n>
std::optional<std::string_view> named(const std::array<NamedText, n>& list, std::string_view name) {
  const auto* const found = std::ranges::find(list, name, &NamedText::name);
  return found == list.end() ? std::nullopt : std::optional{found->text};
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

template <typename Number>
std::optional<Number> whole_number_from(std::string_view digits, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.starts_with('-')) return std::nullopt;
  return number;
}

/// Takes the first line of the text, which ends by CR, LF or both.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  if (text.starts_with("\r\n"))
    text.remove_prefix(2);
  else if (!text.empty())
    text.remove_prefix(1);
  return line;
}

std::string utf8(std::uint32_t code) {
  if (code == 0 || code > 0x10ffff) code = 0xfffd;
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
}

/// Takes an entity from the beginning of the text, which begins with "&". An unknown one is the "&" alone.
std::string take_entity(std::string_view& text) {
  constexpr std::size_t kLongest = 10;
  const std::size_t end = text.substr(0, kLongest).find(';');
  if (end != std::string_view::npos) {
    const std::string_view name = text.substr(1, end - 1);
    std::optional<std::string> meant;
    if (const auto known = named(kEntities, name)) meant = *known;
    if (name.starts_with("#")) {
      const bool hexadecimal = name.starts_with("#x") || name.starts_with("#X");
      if (const auto code = whole_number_from<std::uint32_t>(name.substr(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10))
        meant = utf8(*code);
    }
    if (meant) {
      text.remove_prefix(end + 1);
      return *meant;
    }
  }
  text.remove_prefix(1);
  return "&";
}

/// The color among the classes of a tag: ".yellow.bg_blue".
std::string element_of_classes(std::string_view classes) {
  while (!classes.empty()) {
    classes.remove_prefix(1);  // "."
    const std::size_t end = std::min(classes.find('.'), classes.size());
    if (const auto color = named(kColors, classes.substr(0, end)))
      return "span foreground=\"" + std::string{*color} + "\"";
    classes.remove_prefix(end);
  }
  return {};
}

void add_tag(std::string_view tag, Markup& markup) {
  if (tag.starts_with("/")) return markup.close(tag.substr(1));
  const std::string_view full = tag.substr(0, std::min(tag.find_first_of(" \t\n"), tag.size()));
  const std::string_view name = full.substr(0, full.find('.'));
  if (name == "b" || name == "i" || name == "u") return markup.open(name, name);
  if (name == "c" || name == "v" || name == "lang" || name == "ruby" || name == "rt")
    markup.open(name, element_of_classes(full.substr(name.size())));
}

std::optional<Cue> timed_cue(std::string_view line) {
  const std::size_t arrow = line.find(kArrow);
  if (arrow == std::string_view::npos) return std::nullopt;
  const auto begin = web_vtt_time(without_blanks(line.substr(0, arrow)));
  const std::string_view rest = without_blanks(line.substr(arrow + kArrow.size()));
  const auto end = web_vtt_time(rest.substr(0, std::min(rest.find_first_of(kBlanks), rest.size())));
  if (!begin || !end || *end <= *begin) return std::nullopt;
  return Cue{*begin, *end, {}};
}

std::optional<Duration> timestamp_map(std::string_view line) {
  constexpr std::string_view kName = "X-TIMESTAMP-MAP=";
  if (!line.starts_with(kName)) return std::nullopt;
  line.remove_prefix(kName.size());
  std::optional<std::uint64_t> ticks;
  std::optional<Duration> local;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(','), line.size());
    const std::string_view field = without_blanks(line.substr(0, end));
    if (field.starts_with("MPEGTS:")) ticks = whole_number_from<std::uint64_t>(without_blanks(field.substr(7)));
    if (field.starts_with("LOCAL:")) local = web_vtt_time(without_blanks(field.substr(6)));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  if (!ticks || !local) return std::nullopt;
  constexpr std::uint64_t kWrap = std::uint64_t{1} << 33;
  return Duration{static_cast<Duration::rep>(*ticks % kWrap * 100'000 / 9)} - *local;
}

}  // namespace

std::optional<Duration> web_vtt_time(std::string_view text) {
  const std::size_t dot = text.find_first_of(".,");
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view fraction = text.substr(dot + 1);
  const auto milliseconds = fraction.size() == 3 ? whole_number_from<std::uint16_t>(fraction) : std::nullopt;
  if (!milliseconds) return std::nullopt;
  Duration time = *milliseconds * 1ms;
  std::string_view rest = text.substr(0, dot);
  int fields = 0;
  for (Duration unit = 1s; fields < 3; unit *= 60) {
    ++fields;
    const std::size_t colon = rest.rfind(':');
    const std::string_view digits = colon == std::string_view::npos ? rest : rest.substr(colon + 1);
    const auto number = digits.size() <= 5 ? whole_number_from<std::uint32_t>(digits) : std::nullopt;
    if (!number || (fields < 3 && *number >= 60)) return std::nullopt;
    time += *number * unit;
    if (colon == std::string_view::npos) return fields >= 2 ? std::optional{time} : std::nullopt;
    rest = rest.substr(0, colon);
  }
  return std::nullopt;
}

std::string cue_markup(std::string_view text) {
  Markup markup;
  while (!text.empty()) {
    if (text.front() == '&') {
      markup.add(take_entity(text));
    } else if (text.front() == '<') {
      const std::size_t end = std::min(text.find('>'), text.size());
      add_tag(text.substr(1, end - 1), markup);
      text.remove_prefix(std::min(end + 1, text.size()));
    } else {
      const std::size_t end = std::min(text.find_first_of("<&"), text.size());
      markup.add(text.substr(0, end));
      text.remove_prefix(end);
    }
  }
  return markup.take();
}

std::vector<Cue> read_cue_blocks(std::string_view text, std::string (*markup_of)(std::string_view cue_text)) {
  std::vector<Cue> cues;
  std::size_t bytes = 0;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (line.find(kArrow) == std::string_view::npos) continue;  // a name, a comment, a region
    auto cue = timed_cue(line);
    std::string payload;
    while (!text.empty()) {
      std::string_view rest = text;
      line = take_line(rest);
      if (line.empty() || line.find(kArrow) != std::string_view::npos) break;
      payload.append(payload.empty() ? "" : "\n").append(line);
      text = rest;
    }
    if (!cue) continue;
    cue->markup = markup_of(payload);
    bytes += cue->markup.size();
    if (cues.size() >= kMostCues || bytes > kMostMarkup) throw TextError{"the subtitles are too long"};
    if (!cue->markup.empty()) cues.push_back(std::move(*cue));
  }
  return cues;
}

WebVtt read_web_vtt(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::string_view first = take_line(text);
  if (!first.starts_with("WEBVTT") || (first.size() > 6 && kBlanks.find(first[6]) == std::string_view::npos))
    throw TextError{"the subtitles do not begin with WEBVTT"};
  WebVtt vtt;
  // The header goes on to the first empty line, or to the first cue.
  for (std::string_view rest = text; !text.empty(); text = rest) {
    const std::string_view line = take_line(rest);
    if (line.empty() || line.find(kArrow) != std::string_view::npos) break;
    if (const auto zero = timestamp_map(line)) vtt.zero = zero;
  }
  vtt.cues = read_cue_blocks(text, cue_markup);
  return vtt;
}

}  // namespace tributary
