#include "cues/ttml_times.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "cues/cue.hh"

namespace tributary {
namespace {

/// Live origins count from 1970: until 2039, and less than TtmlInterval::kNever.
constexpr double kMostSeconds = 2.2e9;

/// A decimal number without a sign.
std::optional<double> decimal_from(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> positive(pugi::xml_node node, std::string_view name) {
  const auto text = ttml_attribute(node, name);
  const auto number = text ? decimal_from(*text) : std::nullopt;
  return number && *number > 0 ? number : std::nullopt;
}

/// "1000 1001"; TTML of 2010 wrote "1000:1001".
double multiplier(pugi::xml_node root) {
  const auto text = ttml_attribute(root, "frameRateMultiplier");
  if (!text) return 1;
  const std::size_t between = std::min(text->find_first_of(" :"), text->size());
  const auto above = decimal_from(text->substr(0, between));
  const auto below = between < text->size() ? decimal_from(text->substr(between + 1)) : std::optional{1.0};
  return above && below && *above > 0 && *below > 0 ? *above / *below : 1;
}

std::optional<Duration> duration_of(double seconds) {
  if (!std::isfinite(seconds) || seconds > kMostSeconds) return std::nullopt;
  return from_seconds(seconds);
}

}  // namespace

std::string_view ttml_name(const char* qualified) {
  const std::string_view name{qualified};
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::optional<std::string_view> ttml_attribute(pugi::xml_node node, std::string_view name) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    if (ttml_name(attribute.name()) == name) return attribute.value();
  }
  return std::nullopt;
}

TtmlTimes::TtmlTimes(pugi::xml_node root) {
  if (ttml_attribute(root, "timeBase") == "clock") throw TextError{"the times of the text are those of a clock"};
  const auto frames = positive(root, "frameRate");
  frame_rate_ = frames.value_or(30) * multiplier(root);
  const double sub_frames = positive(root, "subFrameRate").value_or(1);
  tick_rate_ = positive(root, "tickRate").value_or(frames ? frame_rate_ * sub_frames : 1);
}

std::optional<Duration> TtmlTimes::time_from(std::string_view text) const {
  const std::size_t blank = text.find_first_not_of(" \t\r\n");
  if (blank == std::string_view::npos) return std::nullopt;
  text = text.substr(blank, text.find_last_not_of(" \t\r\n") - blank + 1);
  if (text.find(':') == std::string_view::npos) {
    const std::size_t metric = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto count = decimal_from(text.substr(0, metric));
    const std::string_view unit = text.substr(metric);
    if (!count) return std::nullopt;
    if (unit == "h") return duration_of(*count * 3600);
    if (unit == "m") return duration_of(*count * 60);
    if (unit == "s") return duration_of(*count);
    if (unit == "ms") return duration_of(*count / 1000);
    if (unit == "f") return duration_of(*count / frame_rate_);
    if (unit == "t") return duration_of(*count / tick_rate_);
    return std::nullopt;
  }
  std::vector<double> fields;
  while (fields.size() < 5) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const auto field = decimal_from(text.substr(0, colon));
    if (!field) return std::nullopt;
    fields.push_back(*field);
    if (colon == text.size()) break;
    text.remove_prefix(colon + 1);
  }
  if (fields.size() != 3 && fields.size() != 4) return std::nullopt;
  const double frames = fields.size() == 4 ? fields[3] / frame_rate_ : 0;
  return duration_of(fields[0] * 3600 + fields[1] * 60 + fields[2] + frames);
}

TtmlInterval TtmlTimes::of(pugi::xml_node node, const TtmlInterval& within, Duration from) const {
  const auto stated = [&](std::string_view name) {
    const auto text = ttml_attribute(node, name);
    return text ? time_from(*text) : std::nullopt;
  };
  TtmlInterval interval{from, TtmlInterval::kNever};
  if (const auto begin = stated("begin")) interval.begin += *begin;
  if (const auto end = stated("end")) interval.end = from + *end;
  if (const auto length = stated("dur")) interval.end = std::min(interval.end, interval.begin + *length);
  interval.begin = std::min(interval.begin, TtmlInterval::kNever);  // of elements within each other, times add up
  return {std::max(interval.begin, within.begin), std::min(interval.end, within.end)};
}

}  // namespace tributary
