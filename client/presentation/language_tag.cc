#include "presentation/language_tag.hh"

#include <algorithm>
#include <span>
#include <vector>

#include "presentation/language_codes.hh"

namespace tributary {
namespace {

// If iso-codes changed the form of its JSON, these would be empty.
static_assert(kLanguageCodes.size() > 7000 * 4 && kTerminologyCodes.size() > 400 * 4);
static_assert(kShortCodes.size() > 180 * 7 && kBibliographicCodes.size() >= 20 * 8);

/// Replaced codes of two letters that are still in use (RFC 5646 section 4.5).
constexpr std::string_view kReplacedCodes = " in=id iw=he ji=yi jw=jv mo=ro ";

constexpr std::size_t kLongestTag = 100;

bool is_among(std::string_view codes, const std::string& code) {
  return codes.find(" " + code + " ") != std::string_view::npos;
}

/// The text behind "code=" in the pairs; without such a pair, the code itself.
std::string replaced(std::string_view pairs, const std::string& code) {
  const auto at = pairs.find(" " + code + "=");
  if (at == std::string_view::npos) return code;
  const auto begin = at + code.size() + 2;
  return std::string{pairs.substr(begin, pairs.find(' ', begin) - begin)};
}

/// The code of three letters for one of two; empty if there is none.
std::string long_code(const std::string& code) {
  const auto at = kShortCodes.find("=" + code + " ");
  return at == std::string_view::npos ? "" : std::string{kShortCodes.substr(at - 3, 3)};
}

bool is_private_use(const std::string& code) { return code.size() == 3 && code >= "qaa" && code <= "qtz"; }

/// The shortest code of a language, in small letters; empty if `code` is none.
std::string shortest_code(const std::string& code) {
  if (code.size() == 2) {
    const std::string current = replaced(kReplacedCodes, code);
    return long_code(current).empty() ? "" : current;
  }
  const std::string terminology = replaced(kBibliographicCodes, code);
  const bool is_known = code.size() == 3 && is_among(kLanguageCodes, terminology);
  return is_known || is_private_use(code) ? replaced(kShortCodes, terminology) : "";
}

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_letters(const std::string& subtag) { return std::ranges::all_of(subtag, is_small_letter); }

// The subtags of RFC 5646 section 2.1, in small letters.
bool is_extended_language(const std::string& subtag) { return subtag.size() == 3 && is_letters(subtag); }
bool is_script(const std::string& subtag) { return subtag.size() == 4 && is_letters(subtag); }
bool is_region(const std::string& subtag) {
  return (subtag.size() == 2 && is_letters(subtag)) || (subtag.size() == 3 && std::ranges::all_of(subtag, is_decimal));
}
bool is_variant(const std::string& subtag) {
  return subtag.size() >= 5 || (subtag.size() == 4 && is_decimal(subtag.front()));
}
bool is_singleton(const std::string& subtag) { return subtag.size() == 1; }

/// The subtags in small letters; empty if a part of the text is no subtag.
std::vector<std::string> subtags_of(std::string_view text) {
  std::vector<std::string> subtags(1);
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == '_') {
      subtags.emplace_back();
    } else if (is_small_letter(c) || is_decimal(c)) {
      subtags.back() += c;
    } else {
      return {};
    }
  }
  const auto has_form = [](const std::string& subtag) { return !subtag.empty() && subtag.size() <= 8; };
  return std::ranges::all_of(subtags, has_form) ? subtags : std::vector<std::string>{};
}

std::string with_capitals(std::string subtag, std::size_t count) {
  for (char& c : std::span{subtag}.first(std::min(count, subtag.size()))) {
    if (is_small_letter(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return subtag;
}

}  // namespace

std::optional<std::string> language_tag(std::string_view text) {
  const std::vector<std::string> subtags = text.size() <= kLongestTag ? subtags_of(text) : std::vector<std::string>{};
  if (subtags.empty()) return std::nullopt;
  std::size_t at = 1;
  const auto follows = [&](auto is_it) { return at < subtags.size() && is_it(subtags[at]); };
  std::string tag = shortest_code(subtags[0]);
  // "zh-yue" is "yue" (section 4.5).
  if (!tag.empty() && follows(is_extended_language)) tag = shortest_code(subtags[at++]);
  if (tag.empty()) return std::nullopt;
  if (follows(is_script)) tag += "-" + with_capitals(subtags[at++], 1);
  if (follows(is_region)) tag += "-" + with_capitals(subtags[at++], 2);
  while (follows(is_variant)) tag += "-" + subtags[at++];
  while (follows(is_singleton)) {
    const bool is_private = subtags[at] == "x";
    tag += "-" + subtags[at++];
    const std::size_t begin = at;
    while (at < subtags.size() && (is_private || !is_singleton(subtags[at]))) tag += "-" + subtags[at++];
    if (at == begin) return std::nullopt;
  }
  return at == subtags.size() ? std::optional{tag} : std::nullopt;
}

std::string terminology_code(std::string_view tag) {
  const std::string language{tag.substr(0, tag.find('-'))};
  const std::string code = language.size() == 2 ? long_code(language) : language;
  return is_among(kTerminologyCodes, code) || is_private_use(code) ? code : std::string{kUnknownLanguage};
}

}  // namespace tributary
