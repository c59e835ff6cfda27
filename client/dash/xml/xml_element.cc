#include "dash/xml/xml_element.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "dash/addressing.hh"
#include "dash/bounds.hh"
#include "dash/mpd_error.hh"
#include "dash/xml/xml_time.hh"
#include "units/text/printed_text.hh"

namespace tributary::dash {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// All of the text is one number.
template <typename Number>
std::optional<Number> number_from(std::string_view text) {
  Number value{};
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> nearest_whole(std::string_view text) {
  if (const auto whole = number_from<std::int64_t>(text)) return whole;
  constexpr double kExact = 9e15;  // up to there, a double is exact
  const auto decimal = number_from<double>(text);
  if (!decimal || !(std::abs(*decimal) <= kExact)) return std::nullopt;
  return std::llround(*decimal);
}

std::optional<std::int64_t> bandwidth_from(std::string_view text) {
  const auto stated = nearest_whole(text);
  return stated && *stated >= 0 && *stated <= kMostNumber ? stated : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

XmlLines::XmlLines(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    ends_.push_back(at);
}

std::size_t XmlLines::line_of(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ends_, offset) - ends_.begin()) + 1;
}

std::size_t XmlLines::column_of(std::size_t offset) const {
  const std::size_t line = line_of(offset);
  return line == 1 ? offset + 1 : offset - ends_[line - 2];
}

std::string_view local_name(pugi::xml_node node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::optional<XmlElement> XmlElement::child(std::string_view name) const {
  for (const pugi::xml_node child : node_) {
    if (local_name(child) == name) return XmlElement{child, *lines_, this, kOnly};
  }
  return std::nullopt;
}

bool XmlElement::has_children() const {
  return std::any_of(node_.begin(), node_.end(),
                     [](pugi::xml_node child) { return child.type() == pugi::node_element; });
}

std::optional<std::string_view> XmlElement::value(const char* attribute) const {
  const pugi::xml_attribute found = node_.attribute(attribute);
  if (!found) return std::nullopt;
  return trimmed(found.value());
}

std::optional<std::string> XmlElement::text(const char* attribute, std::size_t longest) const {
  const auto found = value(attribute);
  if (!found) return std::nullopt;
  if (found->size() > longest) refuse(fmt::format("\"{}\" is longer than {} bytes", attribute, longest));
  return std::string{*found};
}

std::optional<std::int64_t> XmlElement::whole(const char* attribute, std::int64_t minimum, std::int64_t maximum) const {
  const auto found = value(attribute);
  if (!found) return std::nullopt;
  const auto number = nearest_whole(*found);
  if (!number || *number < minimum || *number > maximum)
    refuse_value(attribute, fmt::format("a whole number from {} to {}", minimum, maximum));
  return number;
}

std::optional<bool> XmlElement::truth(const char* attribute) const {
  const auto found = value(attribute);
  if (!found) return std::nullopt;
  if (*found == "true" || *found == "1") return true;
  if (*found == "false" || *found == "0") return false;
  refuse_value(attribute, "true or false");
}

std::optional<Duration> XmlElement::duration(const char* attribute) const {
  const auto found = value(attribute);
  if (!found) return std::nullopt;
  const auto time = duration_from(*found);
  if (!time) refuse_value(attribute, "a time such as PT1H2M3.5S, of 100 years at the most");
  return time;
}

std::optional<Duration> XmlElement::seconds(const char* attribute) const {
  const auto found = value(attribute);
  if (!found) return std::nullopt;
  if (*found == "INF") return kLongestOffset;
  const auto number = number_from<double>(*found);
  if (!number || !std::isfinite(*number)) refuse_value(attribute, "a number of seconds, or INF");
  const double most = to_seconds(kLongestOffset);
  return from_seconds(std::clamp(*number, -most, most));
}

std::optional<UtcTime> XmlElement::date_time(const char* attribute) const {
  const auto found = value(attribute);
  if (!found) return std::nullopt;
  const auto time = date_time_from(*found);
  if (!time) refuse_value(attribute, "a date and time such as 2026-01-02T03:04:05Z");
  return time;
}

std::optional<ByteRange> XmlElement::bytes(const char* attribute) const {
  const auto found = value(attribute);
  if (!found) return std::nullopt;
  const std::size_t dash = std::min(found->find('-'), found->size());
  const auto first = number_from<std::int64_t>(found->substr(0, dash));
  const std::string_view rest = found->substr(std::min(dash + 1, found->size()));
  const bool open = dash < found->size() && rest.empty();
  const auto last = open ? kEndOfFile.bytes() - 1 : number_from<std::int64_t>(rest);
  if (!first || !last || *last < *first || *last == kEndOfFile.bytes())
    refuse_value(attribute, "a range of bytes such as 0-999");
  return ByteRange{DataSize{*first}, DataSize{*last + 1}};
}

std::optional<std::string> XmlElement::link() const {
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    if (std::string_view{attribute.name()}.ends_with(":href")) return std::string{trimmed(attribute.value())};
  }
  return std::nullopt;
}

std::string XmlElement::content(std::size_t longest) const {
  const std::string_view found = trimmed(node_.child_value());
  if (found.size() > longest) refuse(fmt::format("it is longer than {} bytes", longest));
  return std::string{found};
}

std::string XmlElement::place() const {
  std::string path;
  for (const XmlElement* at = this; at->parent_ != nullptr; at = at->parent_) {
    const std::string index = at->index_ == kOnly ? "" : fmt::format("[{}]", at->index_);
    path = fmt::format("{}{}{}{}", local_name(at->node_), index, path.empty() ? "" : "/", path);
  }
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node_.offset_debug(), 0));
  return fmt::format("line {}, {}", lines_->line_of(offset), path.empty() ? "MPD" : path);
}

void XmlElement::refuse(std::string_view why) const {
  throw MpdError{printable_line(fmt::format("{}: {}", place(), why))};
}

void XmlElement::refuse_value(const char* attribute, std::string_view what) const {
  const std::string_view found = node_.attribute(attribute).value();
  refuse(fmt::format("\"{}\" is {}{}, not {}", attribute, found.substr(0, 60), found.size() > 60 ? "..." : "", what));
}

}  // namespace tributary::dash
