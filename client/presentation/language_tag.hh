#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tributary {

/// The code of an unknown language (ISO 639-2).
inline constexpr std::string_view kUnknownLanguage = "und";

/// The shortest tag of RFC 5646 for a language, in its usual case: "de" for "ger", "deu" and "DE"; "pt-BR" for
/// "por_br", "yue" for "zh-yue". The language must be in ISO 639, or be for private use ("qaa"); the subtags behind it
/// must only have the right form. Nothing for any other text.
std::optional<std::string> language_tag(std::string_view text);

/// The code of ISO 639-2/T for a language_tag(): "deu" for "de-CH"; "und" if it has none.
std::string terminology_code(std::string_view tag);

}  // namespace tributary
