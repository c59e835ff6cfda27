#include "proxy/requests/cmcd.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "proxy/requests/percent.hh"

namespace tributary::proxy {

namespace {

constexpr std::string_view kParameter = "CMCD";
constexpr std::array<std::string_view, 4> kFields{"CMCD-Object", "CMCD-Request", "CMCD-Session", "CMCD-Status"};
constexpr std::size_t kMostCharacters = 2'000;  // of a text
constexpr std::int64_t kMost = 1'000'000'000;   // ms, and kbit/s: eleven days, and a terabit

/// What encodes nothing stays as it is.
std::string without_percents(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> meant = encoded_character(text, i);
    plain += meant.value_or(text[i]);
    if (meant) i += 2;
  }
  return plain;
}

/// The parameters of a query, as they stand there.
std::vector<std::string_view> parameters(std::string_view query) {
  std::vector<std::string_view> all;
  while (true) {
    const std::size_t end = query.find('&');
    all.push_back(query.substr(0, end));
    if (end == std::string_view::npos) return all;
    query.remove_prefix(end + 1);
  }
}

bool is_cmcd(std::string_view parameter) { return parameter.substr(0, parameter.find('=')) == kParameter; }

/// One key and its value. A text is without its quotes and backslashes; a key by itself is true.
struct Item {
  std::string_view key;
  std::string value;
  bool is_text = false;
};

/// A text in quotes at the front, which is taken off.
std::string take_text(std::string_view& rest) {
  std::string text;
  rest.remove_prefix(1);
  while (!rest.empty() && rest.front() != '"') {
    if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
    text += rest.front();
    rest.remove_prefix(1);
  }
  if (!rest.empty()) rest.remove_prefix(1);
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<Item> items_of(std::string_view rest) {
  std::vector<Item> items;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(",="), rest.size());
    Item item{.key = trimmed(rest.substr(0, end)), .value = "true"};
    rest.remove_prefix(end);
    if (rest.starts_with('=')) {
      rest.remove_prefix(1);
      item.is_text = rest.starts_with('"');
      if (item.is_text) item.value = take_text(rest);
      const std::string_view token = rest.substr(0, rest.find(','));
      rest.remove_prefix(token.size());
      if (!item.is_text) item.value = trimmed(token);
    }
    if (rest.starts_with(',')) rest.remove_prefix(1);
    if (!item.key.empty()) items.push_back(std::move(item));
  }
  return items;
}

std::optional<std::int64_t> number_of(const Item& item) {
  std::int64_t number = 0;
  const char* end = item.value.data() + item.value.size();
  const auto read = std::from_chars(item.value.data(), end, number);
  if (item.is_text || read.ec != std::errc{} || read.ptr != end || number < 0 || number > kMost) return {};
  return number;
}

std::optional<Duration> duration_of(const Item& item) {
  const auto number = number_of(item);
  return number ? std::optional<Duration>{std::chrono::milliseconds{*number}} : std::nullopt;
}

std::optional<DataRate> rate_of(const Item& item) {
  const auto number = number_of(item);
  if (!number || *number == 0) return {};
  return DataRate::bits_per_second(1e3 * static_cast<double>(*number));
}

/// A text that could end a line somewhere is none.
std::optional<std::string> printable(std::string text) {
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c != 0x7f; });
  if (!is_plain || text.empty() || text.size() > kMostCharacters) return {};
  return text;
}

std::optional<std::string> word_of(const Item& item) { return item.is_text ? std::nullopt : printable(item.value); }

template <typename Value>
void take(std::optional<Value>& known, std::optional<Value> told) {
  if (!known) known = std::move(told);
}

void take_in(Cmcd& cmcd, const Item& item) {
  if (item.key == "bl") take(cmcd.buffered, duration_of(item));
  if (item.key == "dl") take(cmcd.deadline, duration_of(item));
  if (item.key == "d") take(cmcd.duration, duration_of(item));
  if (item.key == "br") take(cmcd.bitrate, rate_of(item));
  if (item.key == "mtp") take(cmcd.measured, rate_of(item));
  if (item.key == "su") cmcd.startup |= !item.is_text && item.value == "true";
  if (item.key == "bs") cmcd.starved |= !item.is_text && item.value == "true";
  if (item.key == "nor" && item.is_text) take(cmcd.next, printable(without_percents(item.value)));
  if (item.key == "sid" && item.is_text) take(cmcd.session, printable(item.value));
  if (item.key == "ot") take(cmcd.object_type, word_of(item));
  if (item.key == "st") take(cmcd.stream_type, word_of(item));
}

void take_in_all(Cmcd& cmcd, std::string_view text) {
  for (const Item& item : items_of(text)) take_in(cmcd, item);
}

}  // namespace

Cmcd read_cmcd(std::string_view target, const Fields& fields) {
  Cmcd cmcd;
  if (const std::size_t query = target.find('?'); query != std::string_view::npos) {
    for (const std::string_view parameter : parameters(target.substr(query + 1))) {
      const std::size_t equals = parameter.find('=');
      if (!is_cmcd(parameter) || equals == std::string_view::npos) continue;
      take_in_all(cmcd, without_percents(parameter.substr(equals + 1)));
    }
  }
  for (const std::string_view name : kFields) {
    if (const auto value = field(fields, name)) take_in_all(cmcd, *value);
  }
  return cmcd;
}

std::string without_cmcd(std::string_view target) {
  const std::size_t query = target.find('?');
  if (query == std::string_view::npos) return std::string{target};
  const std::vector<std::string_view> all = parameters(target.substr(query + 1));
  if (std::ranges::none_of(all, is_cmcd)) return std::string{target};
  std::string kept{target.substr(0, query)};
  char separator = '?';
  for (const std::string_view parameter : all) {
    if (is_cmcd(parameter)) continue;
    kept += std::exchange(separator, '&');
    kept += parameter;
  }
  return kept;
}

std::string cmsd_dynamic(DataRate estimate, std::optional<DataRate> most) {
  const auto kbits = [](DataRate rate) { return std::to_string(whole_number(rate.kilobits_per_second())); };
  std::string value = "\"tributary\";etp=" + kbits(estimate);
  if (most) value += ";mb=" + kbits(*most);
  return value;
}

}  // namespace tributary::proxy
