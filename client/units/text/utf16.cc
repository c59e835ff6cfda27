#include "units/text/utf16.hh"

#include <cstddef>
#include <cstdint>

namespace tributary {
namespace {

enum class ByteOrder { kLittle, kBig };

std::optional<ByteOrder> byte_order(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  if (text.starts_with("\xff\xfe")) return ByteOrder::kLittle;
  if (text.starts_with("\xfe\xff")) return ByteOrder::kBig;
  const auto is_ascii = [](char c) { return c > 0; };
  if (is_ascii(text[0]) && text[1] == 0) return ByteOrder::kLittle;
  if (text[0] == 0 && is_ascii(text[1])) return ByteOrder::kBig;
  return std::nullopt;
}

void append_code_point(std::string& text, std::uint32_t c) {
  const auto rest = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0 | c >> 6);
    rest(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0 | c >> 12);
    rest(6);
    rest(0);
  } else {
    text += static_cast<char>(0xf0 | c >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

}  // namespace

std::optional<std::string> from_utf16(std::string_view text) {
  constexpr std::uint32_t kByteOrderMark = 0xfeff, kReplacement = 0xfffd;
  const auto order = byte_order(text);
  if (!order) return std::nullopt;
  const std::size_t high = *order == ByteOrder::kBig ? 0 : 1;
  const auto unit = [&](std::size_t at) {
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[at + i])}; };
    return byte(high) << 8 | byte(1 - high);
  };
  std::string result;
  for (std::size_t at = 0; at + 2 <= text.size(); at += 2) {
    std::uint32_t c = unit(at);
    if (at == 0 && c == kByteOrderMark) continue;
    if (c >= 0xd800 && c < 0xdc00 && at + 4 <= text.size() && unit(at + 2) >> 10 == 0xdc00 >> 10) {
      c = 0x10000 + ((c & 0x3ff) << 10 | (unit(at + 2) & 0x3ff));
      at += 2;
    }
    append_code_point(result, c >= 0xd800 && c < 0xe000 ? kReplacement : c);
  }
  return result;
}

}  // namespace tributary
