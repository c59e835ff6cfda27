#include "proxy/titles/spend_for.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "core/session_options.hh"

namespace tributary::proxy {

SpendFor::SpendFor(const std::string& quality) {
  if (quality == kSpendForStall) return;
  height_ = 0;
  if (quality == kSpendForLowest) return;
  const char* const end = quality.data() + quality.size();
  int height = 0;
  const auto read = std::from_chars(quality.data(), end, height);
  if (read.ec != std::errc{} || height <= 0 || read.ptr + 1 != end || *read.ptr != 'p')
    throw std::invalid_argument{fmt::format("spend for \"{}\": expected {}, {}, or a height as 720p", quality,
                                            kSpendForLowest, kSpendForStall)};
  height_ = height;
}

std::optional<std::size_t> SpendFor::rung(std::span<const Rung> rungs) const {
  if (!height_ || rungs.empty()) return std::nullopt;
  std::size_t highest = 0;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (rungs[i].height > 0 && rungs[i].height <= *height_) highest = i;
  }
  return highest;
}

std::optional<DataRate> SpendFor::bitrate(std::span<const Ladder> ladders) const {
  std::optional<DataRate> most;
  for (const Ladder& ladder : ladders) {
    if (const auto at = rung(ladder.rungs)) most = std::max(most.value_or(DataRate{}), ladder.rungs[*at].bitrate);
  }
  return most;
}

}  // namespace tributary::proxy
