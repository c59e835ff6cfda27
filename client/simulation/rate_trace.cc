#include "simulation/rate_trace.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tributary {
namespace {

using namespace literals;
using std::chrono::milliseconds;

constexpr DataSize kOpportunity = 1500_B;
// Long enough for a few packets at 1 Mbit/s, short against the reaction time of TCP and of any quality rule.
constexpr milliseconds kInterval{100};

struct Line {
  int number;
  std::string_view text;
};

[[noreturn]] void refuse(const Line& line, std::string_view expected) {
  throw std::invalid_argument(fmt::format("line {}: \"{}\": expected {}", line.number, line.text, expected));
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back({number, line});
  }
  return lines;
}

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && number >= 0 && number <= Number{1000000000};
}

RateTrace parse_mahimahi(const std::vector<Line>& lines) {
  std::vector<milliseconds> opportunities;
  for (const Line& line : lines) {
    std::int64_t time_ms = 0;
    if (!read_number(line.text, time_ms)) refuse(line, "a time in ms");
    if (!opportunities.empty() && milliseconds{time_ms} < opportunities.back()) {
      refuse(line, "a time not before the one above");
    }
    opportunities.emplace_back(time_ms);
  }
  RateTrace trace{.steps = {}, .length = opportunities.back()};
  if (trace.length == Duration{}) refuse(lines.back(), "a last time above 0 ms");

  // An opportunity ends the time in which its 1500 bytes were sent. So one at the end of an interval belongs to that
  // interval.
  auto next = opportunities.begin();
  for (milliseconds begin{0}; begin < trace.length; begin += kInterval) {
    const milliseconds end = std::min(begin + kInterval, opportunities.back());
    const auto first = next;
    next = std::upper_bound(first, opportunities.end(), end);
    trace.steps.push_back({TimePoint{begin}, std::distance(first, next) * kOpportunity / Duration{end - begin}});
  }
  return trace;
}

RateTrace parse_csv(std::vector<Line> lines) {
  constexpr std::string_view kExpected = "time_s,kbit_s";
  if (lines.front().text == kExpected) lines.erase(lines.begin());
  RateTrace trace;
  for (const Line& line : lines) {
    const std::size_t comma = std::min(line.text.find(','), line.text.size() - 1);
    double time_s = 0, kbit_s = 0;
    if (!read_number(line.text.substr(0, comma), time_s) || !read_number(line.text.substr(comma + 1), kbit_s)) {
      refuse(line, kExpected);
    }
    const TimePoint at{from_seconds(time_s)};
    if (trace.steps.empty() && at != TimePoint{}) refuse(line, "the first time to be 0");
    if (!trace.steps.empty() && at <= trace.steps.back().at) refuse(line, "a time after the one above");
    trace.steps.push_back({at, DataRate::bits_per_second(1e3 * kbit_s)});
  }
  if (trace.steps.size() < 2) throw std::invalid_argument("a trace needs a first line and one that marks its end");
  trace.length = trace.steps.back().at.time_since_epoch();
  trace.steps.pop_back();
  return trace;
}

}  // namespace

RateTrace parse_rate_trace(std::string_view text) {
  const std::vector<Line> lines = lines_of(text);
  if (lines.empty()) throw std::invalid_argument("the trace is empty");
  return lines.front().text.find(',') == std::string_view::npos ? parse_mahimahi(lines) : parse_csv(lines);
}

RateTrace read_rate_trace(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file) throw std::invalid_argument(fmt::format("trace \"{}\" cannot be read", path));
  try {
    return parse_rate_trace(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("trace \"{}\": {}", path, error.what()));
  }
}

}  // namespace tributary
