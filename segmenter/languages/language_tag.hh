#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tributary::segmenter {

/// What says that a language is not known (ISO 639-2).
inline constexpr std::string_view kUnknownLanguage = "und";

/// The tag of RFC 5646 for a language, as short as it can be and in its usual case: "de" for "ger", "deu" and "DE";
/// "pt-BR" for "por_br", "yue" for "zh-yue". Its language must be in ISO 639, or be for private use ("qaa"); what follows
/// must only have the right form. Nothing for anything else.
std::optional<std::string> language_tag(std::string_view text);

/// The code of ISO 639-2/T for a language_tag(): "deu" for "de-CH"; "und" where it has none.
std::string terminology_code(std::string_view tag);

}  // namespace tributary::segmenter
