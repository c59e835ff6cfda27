#include "trace/trace_text.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace tributary {

namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view text) {
  throw std::invalid_argument(fmt::format("{} \"{}\"", what, text));
}

// ---- One value: write(value) gives its text, read(text, value) is the inverse.

template <typename Number>
Number number_from(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) refuse("not a number:", text);
  return value;
}

std::string write(Duration value) {
  const auto count = value.count();
  const auto magnitude = count < 0 ? -count : count;
  return fmt::format("{}{}.{:09}", count < 0 ? "-" : "", magnitude / 1'000'000'000, magnitude % 1'000'000'000);
}
void read(std::string_view text, Duration& value) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos || text.size() - dot != 10) refuse("not seconds with nine decimals:", text);
  const bool negative = text.starts_with('-');
  const auto seconds = number_from<std::int64_t>(text.substr(negative ? 1 : 0, dot - (negative ? 1 : 0)));
  const auto nanoseconds = number_from<std::int64_t>(text.substr(dot + 1));
  value = Duration{(negative ? -1 : 1) * (seconds * 1'000'000'000 + nanoseconds)};
}

std::string write(TimePoint value) { return write(value.time_since_epoch()); }
void read(std::string_view text, TimePoint& value) {
  Duration since_start{};
  read(text, since_start);
  value = TimePoint{since_start};
}

std::string write(DataSize value) { return fmt::format("{}", value.bytes()); }
void read(std::string_view text, DataSize& value) { value = DataSize{number_from<std::int64_t>(text)}; }

std::string write(DataRate value) { return fmt::format("{}", value.bits_per_second()); }
void read(std::string_view text, DataRate& value) { value = DataRate::bits_per_second(number_from<double>(text)); }

std::string write(ByteRange value) { return write(value.begin) + "-" + write(value.end); }
void read(std::string_view text, ByteRange& value) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) refuse("not a range:", text);
  read(text.substr(0, dash), value.begin);
  read(text.substr(dash + 1), value.end);
}

std::string write(bool value) { return value ? "true" : "false"; }
void read(std::string_view text, bool& value) {
  if (text != "true" && text != "false") refuse("not true or false:", text);
  value = text == "true";
}

std::string write(double value) { return fmt::format("{}", value); }
void read(std::string_view text, double& value) { value = number_from<double>(text); }

std::string write(std::uint32_t value) { return fmt::format("{}", value); }
void read(std::string_view text, std::uint32_t& value) { value = number_from<std::uint32_t>(text); }

std::string write(const std::string& value) {
  return nlohmann::json(value).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}
void read(std::string_view text, std::string& value) {
  const auto parsed = nlohmann::json::parse(text, nullptr, false);
  if (!parsed.is_string()) refuse("not a quoted text:", text);
  value = parsed.get<std::string>();
}

std::string write(FailureReason value) { return std::string{to_string(value)}; }
void read(std::string_view text, FailureReason& value) {
  const auto reason = failure_reason_from(text);
  if (!reason) refuse("unknown failure", text);
  value = *reason;
}

template <typename T>
concept NumberedEnum = std::is_enum_v<T> && !NamedEnum<T> && !std::is_same_v<T, FailureReason>;

template <NamedEnum Named>
std::string write(Named value) {
  return std::string{name_of(value)};
}
template <NamedEnum Named>
void read(std::string_view text, Named& value) {
  if (text == "on-demand") text = name_of(StreamingMode::kOnDemand);  // until version 0.1
  const auto names = names_of(value);
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) refuse("unknown", text);
  value = static_cast<Named>(found - names.begin());
}

template <NumberedEnum Id>
std::string write(Id value) {
  return fmt::format("{}", to_index(value));
}
template <NumberedEnum Id>
void read(std::string_view text, Id& value) {
  value = static_cast<Id>(number_from<std::underlying_type_t<Id>>(text));
}

template <typename T>
std::string write(const std::optional<T>& value) {
  return value ? write(*value) : "-";
}
template <typename T>
void read(std::string_view text, std::optional<T>& value) {
  value.reset();
  if (text == "-") return;
  T inner{};
  read(text, inner);
  value = inner;
}

/// "!742" behind a segment that begins a stretch: the bytes of the init segment, "!~742" as an estimate, "!-" without one.
std::string write_stretch(const std::optional<StretchStart>& stretch) {
  if (!stretch) return "";
  if (!stretch->init) return "!-";
  return fmt::format("!{}{}", stretch->init->estimated ? "~" : "", stretch->init->range.size().bytes());
}
StretchStart stretch_from(std::string_view text) {
  if (text == "-") return {};
  const bool estimated = text.starts_with('~');
  if (estimated) text.remove_prefix(1);
  const DataSize size{number_from<std::int64_t>(text)};
  return {.init = Resource{.uri = {}, .range = {DataSize{}, size}, .whole_file = true, .estimated = estimated}};
}

FilePiece piece_from(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) refuse("not index/count", text);
  return {number_from<std::uint32_t>(text.substr(0, slash)), number_from<std::uint32_t>(text.substr(slash + 1))};
}

std::string write(const std::vector<TrackSegment>& values) {
  std::string text;
  for (const TrackSegment& value : values) {
    const std::string track = value.track ? fmt::format("{}@", *value.track) : "";
    const std::string piece = value.piece ? fmt::format("*{}/{}", value.piece->index, value.piece->count) : "";
    text +=
        fmt::format("{}{}{}{}{}:{}{}{}", text.empty() ? "" : ",", track, value.continues ? "+" : "",
                    value.estimated ? "~" : "", value.size.bytes(), value.ticks, piece, write_stretch(value.stretch));
  }
  return text;
}
void read(std::string_view text, std::vector<TrackSegment>& values) {
  values.clear();
  while (!text.empty()) {
    const std::string_view all = text.substr(0, text.find(','));
    std::string_view one = all;
    TrackSegment value;
    if (const auto at = one.find('@'); at != std::string_view::npos) {
      value.track = number_from<std::uint32_t>(one.substr(0, at));
      one.remove_prefix(at + 1);
    }
    if (const auto mark = one.find('!'); mark != std::string_view::npos) {
      value.stretch = stretch_from(one.substr(mark + 1));
      one = one.substr(0, mark);
    }
    if (const auto star = one.find('*'); star != std::string_view::npos) {
      value.piece = piece_from(one.substr(star + 1));
      one = one.substr(0, star);
    }
    value.continues = one.starts_with('+');
    if (value.continues) one.remove_prefix(1);
    value.estimated = one.starts_with('~');
    if (value.estimated) one.remove_prefix(1);
    const auto colon = one.find(':');
    if (colon == std::string_view::npos) refuse("not bytes:ticks:", one);
    value.size = DataSize{number_from<std::int64_t>(one.substr(0, colon))};
    value.ticks = number_from<std::uint64_t>(one.substr(colon + 1));
    values.push_back(std::move(value));
    text.remove_prefix(std::min(all.size() + 1, text.size()));
  }
}

std::string write(const std::vector<DataSize>& values) {
  std::string text;
  for (const DataSize value : values) text += (text.empty() ? "" : ",") + write(value);
  return text;
}
void read(std::string_view text, std::vector<DataSize>& values) {
  values.clear();
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    read(one, values.emplace_back());
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
}

// ---- A struct that describes itself (core/described.hh)

template <typename Struct>
std::string write_struct(const Struct& value) {
  std::string text{Struct::kName};
  [[maybe_unused]] const auto write_field = [&](const auto& f) {
    if (f.later && value.*(f.member) == Struct{}.*(f.member)) return;
    text += fmt::format(" {}={}", f.name, write(value.*(f.member)));
  };
  std::apply([&](const auto&... f) { (write_field(f), ...); }, Struct::fields());
  return text;
}

/// The fields of "name a=1 b=\"x y\"" as a map, without the name.
std::map<std::string_view, std::string_view> split(std::string_view text) {
  std::map<std::string_view, std::string_view> result;
  std::size_t at = text.find(' ');
  while (at < text.size()) {
    const std::size_t begin = at + 1;
    const std::size_t equals = text.find('=', begin);
    if (equals == std::string_view::npos) refuse("expected name=value in", text.substr(begin));
    std::size_t end = equals + 1;
    if (end < text.size() && text[end] == '"') {
      for (++end; end < text.size() && text[end] != '"'; ++end) {
        if (text[end] == '\\') ++end;
      }
      end = std::min(end + 1, text.size());
    } else {
      end = std::min(text.find(' ', end), text.size());
    }
    result[text.substr(begin, equals - begin)] = text.substr(equals + 1, end - equals - 1);
    at = end;
  }
  return result;
}

template <typename Struct>
Struct read_struct(std::string_view text) {
  const auto values = split(text);
  Struct result;
  const auto read_field = [&](const auto& f) {
    const auto it = values.find(f.name);
    if (it == values.end() && f.later) return;
    if (it == values.end()) refuse("missing field", f.name);
    try {
      read(it->second, result.*(f.member));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", f.name, error.what()));
    }
  };
  std::apply([&](const auto&... f) { (read_field(f), ...); }, Struct::fields());
  return result;
}

template <typename Variant, std::size_t I = 0>
Variant read_variant(std::string_view text) {
  if constexpr (I == std::variant_size_v<Variant>) {
    refuse("unknown", text.substr(0, text.find(' ')));
  } else {
    using Struct = std::variant_alternative_t<I, Variant>;
    if (text.substr(0, text.find(' ')) == Struct::kName) return read_struct<Struct>(text);
    return read_variant<Variant, I + 1>(text);
  }
}

}  // namespace

std::string to_text(const Event& event) {
  return std::visit([](const auto& e) { return write_struct(e); }, event);
}
std::string to_text(const Action& action) {
  return std::visit([](const auto& a) { return write_struct(a); }, action);
}
std::string to_text(const SessionOptions& options) { return write_struct(options); }
std::string to_text(TimePoint time) { return write(time); }

Event event_from(std::string_view text) { return read_variant<Event>(text); }
Action action_from(std::string_view text) { return read_variant<Action>(text); }
SessionOptions options_from(std::string_view text) { return read_struct<SessionOptions>(text); }
TimePoint time_from(std::string_view text) {
  TimePoint time;
  read(text, time);
  return time;
}

}  // namespace tributary
