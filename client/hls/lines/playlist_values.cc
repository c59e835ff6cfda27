#include "hls/lines/playlist_values.hh"

#include <charconv>
#include <cmath>

#include "hls/lines/playlist_limits.hh"

namespace tributary::hls {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take(std::string_view& text, std::string_view one_of) {
  if (text.empty() || one_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Exactly this many digits.
std::optional<int> take_field(std::string_view& text, std::size_t count) {
  std::string_view field = text.substr(0, count);
  const std::string_view digits = take_digits(field);
  if (digits.size() != count) return std::nullopt;
  text.remove_prefix(count);
  int value = 0;
  for (const char c : digits) value = 10 * value + (c - '0');
  return value;
}

/// In units of 10^-places, rounded half up. `digits` may be longer than `places`.
std::int64_t fraction(std::string_view digits, std::size_t places) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < places; ++i) value = 10 * value + (i < digits.size() ? digits[i] - '0' : 0);
  return value + (digits.size() > places && digits[places] >= '5' ? 1 : 0);
}

/// "12", "12.5", "12." or ".5": the digits before and behind the point.
struct Decimal {
  std::string_view whole, decimals;
};
std::optional<Decimal> decimal(std::string_view text) {
  Decimal read;
  read.whole = take_digits(text);
  if (take(text, ".")) read.decimals = take_digits(text);
  if (!text.empty() || (read.whole.empty() && read.decimals.empty())) return std::nullopt;
  return read;
}

std::optional<std::uint64_t> whole_part(const Decimal& number) {
  return number.whole.empty() ? std::uint64_t{0} : whole_number(number.whole);
}

std::optional<int> hexadecimal_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

/// Takes "Z", "+01:00", "-0400", "+01" or nothing: how much is later there than in UTC.
std::optional<std::chrono::minutes> take_zone(std::string_view& text) {
  using namespace std::chrono_literals;
  if (text.empty() || take(text, "Zz")) return 0min;
  const bool behind = text.front() == '-';
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_field(text, 2);
  take(text, ":");
  const auto minutes = text.empty() ? 0 : take_field(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const auto offset = std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
  return behind ? -offset : offset;
}

/// Takes "03:04:05.678".
std::optional<std::chrono::milliseconds> take_time_of_day(std::string_view& text) {
  const auto hour = take_field(text, 2);
  const auto minute = hour && take(text, ":") ? take_field(text, 2) : std::nullopt;
  const auto second = minute && take(text, ":") ? take_field(text, 2) : std::nullopt;
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  std::string_view decimals;
  if (take(text, ".,")) {
    decimals = take_digits(text);
    if (decimals.empty()) return std::nullopt;
  }
  return std::chrono::hours{*hour} + std::chrono::minutes{*minute} + std::chrono::seconds{*second} +
         std::chrono::milliseconds{fraction(decimals, 3)};
}

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value > kMaxNumber) return std::nullopt;
  return value;
}

namespace {

/// "6e0", as some languages print numbers.
std::optional<Duration> seconds_with_exponent(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && stop == text.data() + text.size();
  if (!whole || text.find_first_of("eE") == std::string_view::npos) return std::nullopt;
  if (!(value >= 0 && value <= to_seconds(kMaxDuration))) return std::nullopt;
  return from_seconds(value);
}

}  // namespace

std::optional<Duration> seconds(std::string_view text) {
  const auto number = decimal(text);
  if (!number) return seconds_with_exponent(text);
  const auto whole = whole_part(*number);
  if (!whole || *whole > static_cast<std::uint64_t>(kMaxDuration / std::chrono::seconds{1})) return std::nullopt;
  const Duration duration = std::chrono::seconds{*whole} + std::chrono::nanoseconds{fraction(number->decimals, 9)};
  if (duration > kMaxDuration) return std::nullopt;
  return duration;
}

std::optional<Duration> signed_seconds(std::string_view text) {
  const bool negative = text.starts_with('-');
  take(text, "+-");
  const auto duration = seconds(text);
  return duration && negative ? -*duration : duration;
}

std::optional<double> decimal_number(std::string_view text) {
  const auto number = decimal(text);
  if (!number || !whole_part(*number)) return std::nullopt;
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  // A number that is too small for a double is none of ours either.
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<DataRate> bits_per_second(std::string_view text) {
  const auto number = decimal(text);
  const auto whole = number ? whole_part(*number) : std::nullopt;
  if (!whole) return std::nullopt;
  return DataRate::bits_per_second(static_cast<double>(*whole));
}

std::optional<Extent> extent(std::string_view text) {
  const std::size_t cross = text.find_first_of("xX");
  if (cross == std::string_view::npos) return std::nullopt;
  const auto width = whole_number(text.substr(0, cross));
  const auto height = whole_number(text.substr(cross + 1));
  if (!width || !height || *width == 0 || *height == 0 || *width > kMaxExtent || *height > kMaxExtent) {
    return std::nullopt;
  }
  return Extent{static_cast<int>(*width), static_cast<int>(*height)};
}

std::optional<StatedRange> stated_range(std::string_view text) {
  const std::size_t at = text.find('@');
  const auto length = whole_number(text.substr(0, at));
  if (!length || *length == 0) return std::nullopt;
  StatedRange range{DataSize{static_cast<std::int64_t>(*length)}, {}};
  if (at == std::string_view::npos) return range;
  const auto offset = whole_number(text.substr(at + 1));
  if (!offset) return std::nullopt;
  range.offset = DataSize{static_cast<std::int64_t>(*offset)};
  return range;
}

std::optional<Block> block(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  Block bytes{};
  if (text.empty() || text.size() > 2 * bytes.size()) return std::nullopt;
  std::size_t nibble = 2 * bytes.size() - text.size();
  for (const char c : text) {
    const auto digit = hexadecimal_digit(c);
    if (!digit) return std::nullopt;
    bytes[nibble / 2] |= static_cast<std::byte>(nibble % 2 == 0 ? *digit << 4 : *digit);
    ++nibble;
  }
  return bytes;
}

std::optional<UtcTime> calendar_time(std::string_view text) {
  using namespace std::chrono;
  const auto y = take_field(text, 4);
  const auto m = y && take(text, "-") ? take_field(text, 2) : std::nullopt;
  const auto d = m && take(text, "-") ? take_field(text, 2) : std::nullopt;
  if (!d || !take(text, "Tt ")) return std::nullopt;
  const auto time = take_time_of_day(text);
  const auto zone = time ? take_zone(text) : std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}};
  if (!zone || !text.empty() || !date.ok() || *y < 1900 || *y > 2100) return std::nullopt;
  return sys_days{date} + *time - *zone;
}

}  // namespace tributary::hls
