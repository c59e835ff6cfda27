#include "core/qualities/experience.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace tributary {
namespace {

using Worth = Experience::Worth;

constexpr std::array<std::pair<std::string_view, Experience>, 6> kExperiences{{
    {"yin2015-patient", {}},
    {"yin2015", {Worth::kBitrate, 1, 1, 1, true, false}},
    {"yin2015-few-changes", {Worth::kBitrate, 3, 1, 1, true, false}},
    {"yin2015-few-stalls", {Worth::kBitrate, 1, 2, 2, true, false}},
    {"mao2017-lin", {Worth::kBitrate, 1, 1, 0, true, false}},
    {"mao2017-log", {Worth::kLogarithm, 1, 2.66, 0, false, false}},
}};
constexpr std::array<std::pair<std::string_view, Worth>, 2> kWorths{
    {{"bitrate", Worth::kBitrate}, {"log", Worth::kLogarithm}}};

std::optional<double> weight(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1e6)) return std::nullopt;
  return value;
}

/// WORTH:CHANGE:STALL[:START]
std::optional<Experience> from_weights(std::string_view text) {
  std::vector<std::string_view> words;
  for (const auto word : std::views::split(text, ':')) words.emplace_back(word.begin(), word.end());
  if (words.size() != 3 && words.size() != 4) return std::nullopt;
  const auto worth = std::ranges::find(kWorths, words[0], &decltype(kWorths)::value_type::first);
  const auto change = weight(words[1]), stall = weight(words[2]), start = words.size() > 3 ? weight(words[3]) : 0;
  if (worth == kWorths.end() || !change || !stall || !start) return std::nullopt;
  return Experience{worth->second, *change, *stall, *start, true, false};
}

}  // namespace

Experience Experience::read(const std::string& text) {
  const auto named = std::ranges::find(kExperiences, text, &decltype(kExperiences)::value_type::first);
  if (named != kExperiences.end()) return named->second;
  if (const auto weighted = from_weights(text)) return *weighted;
  throw std::invalid_argument(fmt::format("unknown measure of experience \"{}\": expected {}", text, names()));
}

std::string Experience::names() {
  return fmt::format("{}, or {}:CHANGE:STALL[:START]", fmt::join(kExperiences | std::views::keys, ", "),
                     fmt::join(kWorths | std::views::keys, "|"));
}

std::vector<double> Experience::worths(const SegmentTable& table) const {
  std::vector<double> worths;
  const double lowest = table.bitrate(QualityIndex{0}).bits_per_second();
  for (std::size_t q = 0; q < table.quality_count(); ++q) {
    const double bitrate = table.bitrate(static_cast<QualityIndex>(q)).bits_per_second();
    worths.push_back(worth == Worth::kBitrate ? bitrate / 1e6 : std::log(bitrate / lowest));
  }
  return worths;
}

double Experience::of(std::span<const QualityIndex> played, Duration started_in, Duration stalled,
                      const SegmentTable& table) const {
  const std::vector<double> worths = this->worths(table);
  double sum = -start_cost(table) * to_seconds(started_in) - stall_cost(table) * to_seconds(stalled);
  for (std::size_t i = 0; i < played.size(); ++i) {
    const double q = worths[to_index(played[i])];
    sum += q;
    if (i > 0) sum -= change * std::abs(q - worths[to_index(played[i - 1])]);
  }
  return sum;
}

}  // namespace tributary
