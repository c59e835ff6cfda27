#include "units/text/quantity_text.hh"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <stdexcept>

namespace tributary {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 9> kSizeUnits{{{"B", 1},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"KB", 1e3},
                                          {"KiB", 1024},
                                          {"MiB", 1048576},
                                          {"GiB", 1073741824},
                                          {"", 1}}};
constexpr std::array<Unit, 14> kRateUnits{{{"bps", 1},
                                           {"kbps", 1e3},
                                           {"Mbps", 1e6},
                                           {"Gbps", 1e9},
                                           {"bit/s", 1},
                                           {"kbit/s", 1e3},
                                           {"Mbit/s", 1e6},
                                           {"Gbit/s", 1e9},
                                           {"k", 1e3},
                                           {"M", 1e6},
                                           {"G", 1e9},
                                           {"kbit", 1e3},
                                           {"Mbit", 1e6},
                                           {"", 1}}};
constexpr std::array<Unit, 5> kDurationUnits{{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}}};
constexpr std::array<Unit, 2> kFractionUnits{{{"%", 0.01}, {"", 1}}};

[[noreturn]] void refuse(std::string_view text, std::string_view kind, std::string_view examples) {
  throw std::invalid_argument(fmt::format("\"{}\" is not a {}: expected for example {}", text, kind, examples));
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

double parse(std::string_view input, std::span<const Unit> units, std::string_view kind, std::string_view examples) {
  const std::string_view text = trim(input);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || number < 0 || !std::isfinite(number)) refuse(input, kind, examples);
  const std::string_view unit = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  for (const Unit& known : units) {
    if (known.name != unit) continue;
    const double value = number * known.factor;
    if (value > 9e15) refuse(input, kind, examples);  // beyond what a count of bytes or nanoseconds should be
    return value;
  }
  refuse(input, kind, examples);
}

std::string three_digits(double value, std::span<const std::string_view> units, double step) {
  std::size_t unit = 0;
  while (std::abs(value) >= 0.9995 * step && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  const int decimals = std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value, decimals, units[unit]);
}

}  // namespace

DataSize parse_size(std::string_view text) {
  return DataSize{std::llround(parse(text, kSizeUnits, "size", "100kB, 1.5MB, 64KiB"))};
}

DataRate parse_rate(std::string_view text) {
  return DataRate::bits_per_second(parse(text, kRateUnits, "rate", "1.5Mbps, 750k, 2Mbit/s"));
}

Duration parse_duration(std::string_view text) {
  const double seconds = parse(text, kDurationUnits, "duration", "2s, 10ms, 1.5min");
  if (seconds > 9e9) refuse(text, "duration", "2s, 10ms, 1.5min");
  return from_seconds(seconds);
}

double parse_fraction(std::string_view text) {
  const double fraction = parse(text, kFractionUnits, "fraction", "5%, 0.05");
  if (fraction > 1) refuse(text, "fraction", "5%, 0.05");
  return fraction;
}

std::string format_size(DataSize size) {
  static constexpr std::array<std::string_view, 4> kUnits{"B", "kB", "MB", "GB"};
  if (std::abs(size.bytes()) < 1000) return fmt::format("{} B", size.bytes());
  return three_digits(static_cast<double>(size.bytes()), kUnits, 1000);
}

std::string format_rate(DataRate rate) {
  static constexpr std::array<std::string_view, 4> kUnits{"bit/s", "kbit/s", "Mbit/s", "Gbit/s"};
  if (std::abs(rate.bits_per_second()) < 999.5) return fmt::format("{:.0f} bit/s", rate.bits_per_second());
  return three_digits(rate.bits_per_second(), kUnits, 1000);
}

std::string format_duration(Duration duration) {
  const double seconds = to_seconds(duration);
  if (std::abs(seconds) < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  return fmt::format("{:.{}f} s", seconds, std::abs(seconds) >= 99.95 ? 0 : std::abs(seconds) >= 9.995 ? 1 : 2);
}

}  // namespace tributary
