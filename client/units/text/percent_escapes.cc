#include "units/text/percent_escapes.hh"

#include <fmt/format.h>

#include <optional>

namespace tributary {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", kDigits = "0123456789";

std::optional<unsigned> hex_digit(char c) {
  constexpr std::string_view kLower = "0123456789abcdef", kUpper = "0123456789ABCDEF";
  const std::size_t found = std::min(kLower.find(c), kUpper.find(c));
  return found == std::string_view::npos ? std::nullopt : std::optional{static_cast<unsigned>(found)};
}

bool is_unreserved(char c) {
  return kLetters.find(c) != std::string_view::npos || kDigits.find(c) != std::string_view::npos ||
         std::string_view{"-._~"}.find(c) != std::string_view::npos;
}

}  // namespace

std::string percent_encoded(std::string_view bytes) {
  std::string text;
  for (const char c : bytes)
    text += is_unreserved(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return text;
}

std::string percent_decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < text.size() ? hex_digit(text[at]) : std::nullopt; };
    const auto high = text[i] == '%' ? digit(i + 1) : std::nullopt;
    const auto low = high ? digit(i + 2) : std::nullopt;
    bytes += low ? static_cast<char>(*high << 4 | *low) : text[i];
    if (low) i += 2;
  }
  return bytes;
}

}  // namespace tributary
