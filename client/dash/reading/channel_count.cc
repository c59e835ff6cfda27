#include "dash/reading/channel_count.hh"

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>

namespace tributary::dash {
namespace {

std::optional<std::uint32_t> number_from(std::string_view text, int base) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional{value} : std::nullopt;
}

/// Channels of each configuration of ISO/IEC 23091-3; 0: not known.
constexpr std::array<int, 21> kConfigurations{0, 1, 2, 3, 4, 5, 6, 8, 0, 3, 4, 7, 8, 24, 8, 12, 10, 12, 14, 12, 14};
/// Bits of a mask that stand for two speakers (ETSI TS 102 366 table E.1.4; the highest bit is the left one).
constexpr std::uint32_t kPairs = 0x0400 | 0x0200 | 0x0040 | 0x0020 | 0x0010 | 0x0004;

}  // namespace

std::optional<int> channel_count(const Descriptor& configuration) {
  const auto& [scheme, value] = configuration;
  const auto bounded = [](std::optional<std::uint32_t> count) {
    return count && *count >= 1 && *count <= 64 ? std::optional{static_cast<int>(*count)} : std::nullopt;
  };
  if (scheme == "urn:mpeg:dash:23003:3:audio_channel_configuration:2011") return bounded(number_from(value, 10));
  if (scheme == "urn:mpeg:mpegB:cicp:ChannelConfiguration") {
    const auto index = number_from(value, 10);
    if (!index || *index >= kConfigurations.size()) return std::nullopt;
    return bounded(static_cast<std::uint32_t>(kConfigurations.at(*index)));
  }
  if (scheme == "tag:dolby.com,2014:dash:audio_channel_configuration:2011" ||
      scheme == "urn:dolby:dash:audio_channel_configuration:2011") {
    const auto mask = value.size() <= 4 ? number_from(value, 16) : std::nullopt;
    if (!mask) return std::nullopt;
    return bounded(static_cast<std::uint32_t>(std::popcount(*mask) + std::popcount(*mask & kPairs)));
  }
  return std::nullopt;
}

}  // namespace tributary::dash
