#include "units/utc_time.hh"

#include <fmt/format.h>

#include <charconv>

namespace tributary {
namespace {

/// Takes `digits` digits from the front.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t digits) {
  unsigned value = 0;
  if (text.size() < digits) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc{} || end != text.data() + digits) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

std::optional<unsigned> take_field(std::string_view& text, std::size_t digits, char behind) {
  const auto value = take_digits(text, digits);
  if (!value || !text.starts_with(behind)) return std::nullopt;
  text.remove_prefix(1);
  return value;
}

/// ".25Z" or "Z"; digits beyond milliseconds count for nothing.
std::optional<std::chrono::milliseconds> take_fraction(std::string_view text) {
  if (text == "Z") return std::chrono::milliseconds{0};
  if (text.size() < 3 || text.front() != '.' || text.back() != 'Z') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  int milliseconds = 0;
  for (std::size_t i = 0; i < text.size() || i < 3; ++i) {
    const char c = i < text.size() ? text[i] : '0';
    if (c < '0' || c > '9') return std::nullopt;
    if (i < 3) milliseconds = 10 * milliseconds + (c - '0');
  }
  return std::chrono::milliseconds{milliseconds};
}

}  // namespace

std::string utc_text(UtcTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<UtcTime> utc_from(std::string_view text) {
  using namespace std::chrono;
  const auto y = take_field(text, 4, '-');
  const auto m = y ? take_field(text, 2, '-') : std::nullopt;
  const auto d = m ? take_field(text, 2, 'T') : std::nullopt;
  const auto hour = d ? take_field(text, 2, ':') : std::nullopt;
  const auto minute = hour ? take_field(text, 2, ':') : std::nullopt;
  const auto second = minute ? take_digits(text, 2) : std::nullopt;
  const auto fraction = second ? take_fraction(text) : std::nullopt;
  if (!fraction || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const year_month_day date{year{static_cast<int>(*y)}, month{*m}, day{*d}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date} + hours{*hour} + minutes{*minute} + seconds{*second} + *fraction;
}

}  // namespace tributary
