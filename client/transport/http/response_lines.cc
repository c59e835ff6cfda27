#include "transport/http/response_lines.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tributary::transport {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

namespace {

std::string in_lower_case(std::string_view text) {
  std::string lower{text};
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// The members of a comma-separated list that are not empty, without blanks around them.
std::vector<std::string_view> members_of(std::string_view list) {
  std::vector<std::string_view> members;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (const auto member = trimmed(list.substr(0, end)); !member.empty()) members.push_back(member);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return members;
}

/// Nothing if the text is no length: "-5", "0x10". As in libcurl, a "+" may precede the digits, and text behind them
/// does not count.
std::optional<std::int64_t> length_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_decimal(text.front()) || text.starts_with("0x") || text.starts_with("0X"))
    return std::nullopt;
  std::int64_t length = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), length).ec != std::errc{}) return std::nullopt;
  return length;
}

struct Lengths {
  std::int64_t shortest, longest;  // equal where a length is only repeated (RFC 9110 section 8.6)
};

/// Nothing if there is no length, or if a member is no length.
std::optional<Lengths> lengths_in(std::string_view values) {
  std::optional<Lengths> lengths;
  for (const std::string_view member : members_of(values)) {
    const auto next = length_in(member);
    if (!next) return std::nullopt;
    if (!lengths) lengths = {*next, *next};
    lengths = {std::min(lengths->shortest, *next), std::max(lengths->longest, *next)};
  }
  return lengths;
}

/// Leaves out codings that change nothing: "identity", and a repeated "chunked".
std::string transfer_codings_in(std::string_view list) {
  std::vector<std::string> codings;
  for (const std::string_view member : members_of(list)) {
    std::string coding = in_lower_case(trimmed(member.substr(0, member.find(';'))));
    if (coding != "identity" && (codings.empty() || codings.back() != coding)) codings.push_back(std::move(coding));
  }
  if (codings.empty()) return "";
  return codings.size() == 1 && codings.front() == "chunked" ? codings.front() : std::string{list};
}

bool has_member(std::string_view list, std::string_view wanted) {
  return std::ranges::any_of(members_of(list),
                             [&](std::string_view member) { return in_lower_case(member) == wanted; });
}

}  // namespace

bool ResponseLines::take(std::string_view line) {
  if (empty()) return take_status(line);
  if (line.starts_with(' ') || line.starts_with('\t')) {  // continues the field before (RFC 9112 section 5.2)
    if (fields_.empty()) return true;
    std::string& value = fields_.back().second;
    value += fmt::format("{}{}", value.empty() ? "" : " ", trimmed(line));
  } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
    fields_.emplace_back(in_lower_case(trimmed(line.substr(0, colon))), trimmed(line.substr(colon + 1)));
  }
  return true;
}

/// "HTTP/1.1 206 Partial Content"; the reason may be missing.
bool ResponseLines::take_status(std::string_view line) {
  constexpr std::size_t kDigits = 3;
  line = trimmed(line);
  const std::string_view version = line.substr(0, line.find_first_of(" \t"));
  const std::string_view rest = trimmed(line.substr(version.size()));
  if (!in_lower_case(version).starts_with("http/") || rest.size() < kDigits) return false;
  const std::string_view digits = rest.substr(0, kDigits);
  if (!std::ranges::all_of(digits, is_decimal) || digits.front() == '0') return false;
  if (rest.size() > kDigits && is_decimal(rest[kDigits])) return false;
  std::from_chars(digits.data(), digits.data() + digits.size(), status_);
  http_1_0_ = version.ends_with("/1.0");
  reason_ = trimmed(rest.substr(kDigits));
  return true;
}

std::string ResponseLines::value_of(std::string_view name) const {
  std::string joined;
  for (const auto& [field, value] : fields_) {
    if (field == name) joined += (joined.empty() ? "" : ", ") + value;
  }
  return joined;
}

ResponseHead ResponseLines::head() const {
  ResponseHead head;
  head.status = status_;
  head.reason = reason_;
  if (const auto lengths = lengths_in(value_of("content-length"))) head.content_length = DataSize{lengths->longest};
  head.content_range = value_of("content-range");
  head.content_type = value_of("content-type");
  head.content_encoding = value_of("content-encoding");
  head.etag = value_of("etag");
  head.last_modified = value_of("last-modified");
  head.location = value_of("location");
  head.retry_after = value_of("retry-after");
  head.date = value_of("date");
  head.content_disposition = value_of("content-disposition");
  head.transfer_encoding = transfer_codings_in(value_of("transfer-encoding"));
  head.delimited = head.transfer_encoding == "chunked";
  const std::string connection = value_of("connection");
  head.keep_alive = !has_member(connection, "close") && (!http_1_0_ || has_member(connection, "keep-alive"));
  return head;
}

std::string ResponseLines::length_defect(DifferingLengths differing) const {
  const std::string length = value_of("content-length");
  const auto lengths = lengths_in(length);
  const bool agree = lengths && lengths->shortest == lengths->longest;
  if (length.empty() || agree || (lengths && differing == DifferingLengths::kLongest)) return "";
  return fmt::format("Content-Length {}", length);
}

}  // namespace tributary::transport
