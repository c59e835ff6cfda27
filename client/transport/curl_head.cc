#include "transport/curl_head.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <span>

namespace tributary::transport {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string in_lower_case(std::string_view text) {
  std::string lower{text};
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

template <typename Number>
std::optional<Number> digits_of(std::string_view digits) {
  Number value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value < 0) return std::nullopt;
  return value;
}

/// A length may be repeated (RFC 9110 section 8.6), if it is the same. Nothing if it is none.
std::optional<DataSize> length_in(std::string_view values) {
  std::optional<std::int64_t> length;
  while (true) {
    const auto comma = values.find(',');
    const auto next = digits_of<std::int64_t>(trimmed(values.substr(0, comma)));
    if (!next || (length && *length != *next)) return std::nullopt;
    length = next;
    if (comma == std::string_view::npos) return DataSize{*length};
    values.remove_prefix(comma + 1);
  }
}

}  // namespace

CurlHead::CurlHead(CurlHandle& handle) {
  handle.set(CURLOPT_HEADERDATA, this);
  handle.set(CURLOPT_HEADERFUNCTION, &CurlHead::on_line);
}

std::size_t CurlHead::on_line(char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
  auto& head = *static_cast<CurlHead*>(self);
  head.left_ -= static_cast<std::int64_t>(size);
  if (head.left_ < 0) return 0;  // libcurl ends the transfer
  head.take({bytes, size});
  return size;
}

void CurlHead::take(std::string_view line) {
  if (complete_) {
    if (!line.starts_with("HTTP/")) return;  // a trailer
    fields_.clear();
    complete_ = false;
    const auto blank = std::min(line.find(' '), line.size() - 1);
    status_ = digits_of<int>(line.substr(blank + 1, 3)).value_or(0);
  } else if (trimmed(line).empty()) {
    complete_ = true;
  } else if (line.starts_with(' ') || line.starts_with('\t')) {  // goes on with the field before (RFC 9112 section 5.2)
    if (!fields_.empty()) fields_.back().second += fmt::format(" {}", trimmed(line));
  } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
    fields_.emplace_back(in_lower_case(trimmed(line.substr(0, colon))), trimmed(line.substr(colon + 1)));
  }
}

std::string CurlHead::value_of(std::string_view name) const {
  std::string joined;
  for (const auto& [field, value] : fields_) {
    if (field == name) joined += (joined.empty() ? "" : ", ") + value;
  }
  return joined;
}

ResponseHead CurlHead::fields() const {
  ResponseHead head;
  head.status = status_;
  head.content_length = length_in(value_of("content-length"));
  head.content_range = value_of("content-range");
  head.content_type = value_of("content-type");
  head.content_encoding = value_of("content-encoding");
  head.etag = value_of("etag");
  head.last_modified = value_of("last-modified");
  head.location = value_of("location");
  head.retry_after = value_of("retry-after");
  head.date = value_of("date");
  head.transfer_encoding = value_of("transfer-encoding");
  head.delimited = !head.transfer_encoding.empty();
  return head;
}

std::optional<Rejection> CurlHead::unreadable() const {
  if (left_ < 0) return Rejection{FailureReason::kProtocol, "the head is longer than 256 kB"};
  return check_transfer(fields());
}

std::optional<Rejection> CurlHead::defect() const {
  if (auto rejection = unreadable()) return rejection;
  if (!complete_ || status_ == 0)
    return Rejection{FailureReason::kClosedMidBody, "the origin closed within the head of its answer"};
  const std::string length = value_of("content-length");
  if (!length.empty() && !length_in(length))
    return Rejection{FailureReason::kProtocol, fmt::format("Content-Length {}", length)};
  return std::nullopt;
}

}  // namespace tributary::transport
