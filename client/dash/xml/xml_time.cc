#include "dash/xml/xml_time.hh"

#include <array>
#include <charconv>
#include <string>

#include "dash/bounds.hh"

namespace tributary::dash {
namespace {

using std::chrono::seconds;

struct Unit {
  char letter;
  seconds length;
};
constexpr std::array<Unit, 3> kDate{
    {{'Y', seconds{365 * 86'400}}, {'M', seconds{30 * 86'400}}, {'D', seconds{86'400}}}};
constexpr std::array<Unit, 3> kClock{{{'H', seconds{3'600}}, {'M', seconds{60}}, {'S', seconds{1}}}};

/// ".25" from the front: the digits after the dot, in nanoseconds. Nothing: there is a dot without digits.
std::optional<Duration> take_fraction(std::string_view& text) {
  Duration fraction{}, digit = std::chrono::milliseconds{100};
  if (!text.starts_with('.')) return fraction;
  text.remove_prefix(1);
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
    fraction += (text.front() - '0') * digit;
    digit /= 10;
  }
  return fraction;
}

/// Fields such as "1H2M3.5S", each unit at most once, in this order. Nothing for any other text.
std::optional<Duration> sum_of(std::string_view text, const std::array<Unit, 3>& units) {
  constexpr std::int64_t kMost = 10'000'000'000;  // times a year, it still fits
  seconds sum{};
  Duration fraction{};
  for (const Unit& unit : units) {
    std::string_view rest = text;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc{}) break;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const auto part = unit.letter == 'S' ? take_fraction(rest) : Duration{};
    if (!part || value < 0 || value > kMost) return std::nullopt;
    if (!rest.starts_with(unit.letter)) continue;
    sum += value * unit.length;
    fraction = *part;
    text = rest.substr(1);
  }
  // In seconds: a time beyond the bound may not fit into nanoseconds.
  if (!text.empty() || sum >= std::chrono::floor<seconds>(kLongestTime)) return std::nullopt;
  return sum + fraction;
}

/// "+02:00" at the end.
std::optional<std::chrono::minutes> offset_of(std::string_view text) {
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  for (const std::size_t at : {1, 2, 4, 5}) {
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
  }
  const auto two = [&](std::size_t at) { return 10 * (text[at] - '0') + (text[at + 1] - '0'); };
  if (two(1) > 14 || two(4) > 59) return std::nullopt;
  const std::chrono::minutes offset{60 * two(1) + two(4)};
  return text[0] == '-' ? -offset : offset;
}

}  // namespace

std::optional<Duration> duration_from(std::string_view text) {
  if (!text.starts_with('P') || text.size() < 3) return std::nullopt;
  text.remove_prefix(1);
  const std::size_t time = text.find('T');
  const auto days = sum_of(text.substr(0, time), kDate);
  if (time == std::string_view::npos) return days;
  if (time + 1 == text.size()) return std::nullopt;
  const auto clock = sum_of(text.substr(time + 1), kClock);
  if (!days || !clock || *days + *clock > kLongestTime) return std::nullopt;
  return *days + *clock;
}

std::optional<UtcTime> date_time_from(std::string_view text) {
  using namespace std::chrono;
  const auto offset = text.size() > 6 ? offset_of(text.substr(text.size() - 6)) : std::nullopt;
  if (offset) {
    text.remove_suffix(6);
  } else if (text.ends_with('Z')) {
    text.remove_suffix(1);
  }
  const auto time = utc_from(std::string{text} + "Z");
  if (!time || *time < sys_days{year{1900} / 1 / 1} || *time >= sys_days{year{2101} / 1 / 1}) return std::nullopt;
  return *time - offset.value_or(minutes{});
}

}  // namespace tributary::dash
