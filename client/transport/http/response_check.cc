#include "transport/http/response_check.hh"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <optional>
#include <string_view>

#include "transport/http/retry_after.hh"
#include "units/text/redacted_url.hh"

namespace tributary::transport {
namespace {

struct ContentRange {
  ByteRange range;
  std::optional<DataSize> total;  // nothing for "*": the origin does not know it
};

/// Ignores upper and lower case.
bool begins_with(std::string_view value, std::string_view word) {
  return value.size() >= word.size() && strncasecmp(value.data(), word.data(), word.size()) == 0;
}

/// Takes a decimal number and the character behind it from the front of the text.
std::optional<std::int64_t> take_number(std::string_view& text, char behind) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (behind == '\0') return text.empty() ? std::optional{number} : std::nullopt;
  if (!text.starts_with(behind)) return std::nullopt;
  text.remove_prefix(1);
  return number;
}

/// "bytes 100-199/1000", RFC 9110 section 14.4; the unit may be missing, or followed by "=" as in a request. Nothing if
/// it is anything else, "bytes */1000" too.
std::optional<ContentRange> parse_content_range(std::string_view text) {
  constexpr std::string_view kUnit = "bytes";
  if (begins_with(text, kUnit)) {  // RFC 9110 section 14.1: in any case
    const std::size_t number = std::min(text.find_first_not_of(" \t=", kUnit.size()), text.size());
    if (number == kUnit.size()) return std::nullopt;
    text.remove_prefix(number);
  }
  const auto first = take_number(text, '-');
  const auto last = first ? take_number(text, '/') : std::nullopt;
  if (!last || *last < *first || *last == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  ContentRange result{.range = {DataSize{*first}, DataSize{*last + 1}}, .total = {}};
  if (text == "*") return result;
  const auto total = take_number(text, '\0');
  if (!total || *total <= *last) return std::nullopt;
  result.total = DataSize{*total};
  return result;
}

/// A success with a body: 204 and 205 have none.
bool is_success(int status) { return status >= 200 && status < 300 && status != 204 && status != 205; }

std::string describe(ByteRange range) { return fmt::format("bytes {}-{}", range.begin.bytes(), range.end.bytes() - 1); }

std::string status_text(const ResponseHead& head) {
  return head.reason.empty() ? fmt::format("{}", head.status) : fmt::format("{} {}", head.status, head.reason);
}

Rejection unusable(FailureReason reason, std::string detail) {
  return {.reason = reason, .detail = std::move(detail), .close_connection = true};
}

std::optional<Rejection> check_encoding(const ResponseHead& head) {
  if (auto coded = check_transfer(head)) return coded;
  // A coded object is kept as it comes: its ranges are those of the coded form (RFC 9110 section 14.1.2). If an origin
  // codes each answer by itself, the bytes are others; only a missing length tells that.
  if (has_coding(head) && !head.content_length) {
    return unusable(FailureReason::kEncoding,
                    fmt::format("Content-Encoding {} without Content-Length", head.content_encoding));
  }
  if (brings_range(head) && begins_with(head.content_type, "multipart/byteranges")) {
    return unusable(FailureReason::kEncoding,
                    fmt::format("Content-Type {} to a request of one range", head.content_type));
  }
  return std::nullopt;
}

std::optional<Rejection> check_total(const RangeRequest& request, std::optional<DataSize> total) {
  if (!request.file_size || !total || *request.file_size == *total) return std::nullopt;
  return unusable(FailureReason::kEntityChanged,
                  fmt::format("the file has {} bytes, expected were {}", total->bytes(), request.file_size->bytes()));
}

Rejection too_large(std::string_view what, DataSize size, DataSize most) {
  return unusable(FailureReason::kProtocol,
                  fmt::format("{} of {} bytes, where at most {} can be kept", what, size.bytes(), most.bytes()));
}

std::optional<Rejection> check_largest(const RangeRequest& request, const ContentRange& answer) {
  if (!request.open) return std::nullopt;
  if (request.largest && answer.total.value_or(answer.range.end) > *request.largest)
    return too_large("a file", answer.total.value_or(answer.range.end), *request.largest);
  if (answer.range.end > request.longest) return too_large("a file", answer.range.end, request.longest);
  return std::nullopt;
}

std::variant<ByteRange, Rejection> check_partial(const RangeRequest& request, const ResponseHead& head) {
  const auto answer = parse_content_range(head.content_range);
  if (!answer) {
    return unusable(FailureReason::kRangeMismatch, fmt::format("206 with Content-Range \"{}\"", head.content_range));
  }
  if (answer->range.begin != request.range.begin || answer->range.end > request.range.end) {
    return unusable(FailureReason::kRangeMismatch,
                    fmt::format("asked for {}, the answer has {}", describe(request.range), describe(answer->range)));
  }
  if (head.content_length ? *head.content_length != answer->range.size() : !head.delimited) {
    // A body that ends with the connection is refused: its end looks the same as a lost connection.
    return unusable(FailureReason::kRangeMismatch,
                    head.content_length ? fmt::format("Content-Range has {} bytes, Content-Length is {}",
                                                      answer->range.size().bytes(), head.content_length->bytes())
                                        : std::string{"206 without Content-Length"});
  }
  if (auto changed = check_total(request, answer->total)) return *changed;
  if (auto too_large = check_largest(request, *answer)) return *too_large;
  return answer->range;
}

std::variant<ByteRange, Rejection> check_whole_file(const RangeRequest& request, const ResponseHead& head) {
  const DataSize most = std::min(request.longest, request.largest.value_or(request.longest));
  if (!head.content_length) return ByteRange{{}, most};  // chunks or the end of the connection mark its end
  if (*head.content_length > most) return too_large("a body", *head.content_length, most);
  return ByteRange{{}, *head.content_length};
}

/// "bytes */1000", RFC 9110 section 14.4: the size of a file that ends before the range.
std::optional<DataSize> unsatisfied_size(const ResponseHead& head) {
  std::string_view text = head.content_range;
  const std::size_t star = text.find("*/");
  if (head.status != 416 || star == std::string_view::npos) return std::nullopt;
  text.remove_prefix(star + 2);
  const auto size = take_number(text, '\0');
  return size ? std::optional{DataSize{*size}} : std::nullopt;
}

/// The whole file is a right answer only to a request for the whole file. A body of another length is another file,
/// such as a login page, and does not tell whether the origin knows ranges.
std::variant<ByteRange, Rejection> check_whole(const RangeRequest& request, const ResponseHead& head) {
  if (request.whole_file()) return check_whole_file(request, head);
  if (auto changed = check_total(request, head.content_length)) return *changed;
  // Of a body without a length, all is right that ends where the file does.
  const bool may_be_all = head.content_length ? *head.content_length == request.range.size()
                                              : request.stands_alone && request.file_size == request.range.size();
  if (request.range.begin != DataSize{0} || !may_be_all) {
    return unusable(FailureReason::kRangeIgnored,
                    fmt::format("200 with {} to a request for {}",
                                head.content_length ? fmt::format("{} bytes", head.content_length->bytes())
                                                    : std::string{"a body of unknown length"},
                                describe(request.range)));
  }
  return request.range;
}

Rejection refusal(const ResponseHead& head) {
  const FailureReason reason = refusal_reason(head.status);
  if (reason == FailureReason::kProtocol) return unusable(reason, status_text(head) + " to a range request");
  if (reason == FailureReason::kRedirected && !head.location.empty()) {
    return {.reason = reason,
            .detail = fmt::format("{}, Location: {}", status_text(head), redacted(head.location)),
            .location = head.location};
  }
  if (reason == FailureReason::kServerBusy) {
    if (const auto pause = retry_after(head.retry_after, head.date)) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*pause);
      return {reason, fmt::format("{}, Retry-After: {} s", status_text(head), seconds.count()), false, pause};
    }
  }
  return {reason, status_text(head)};
}

}  // namespace

bool brings_range(const ResponseHead& head) {
  if (head.status == 206) return true;
  if (!is_success(head.status)) return false;
  const auto said = parse_content_range(head.content_range);
  return said && said->total && said->range.size() < *said->total && head.content_length == said->range.size();
}

bool brings_whole(const ResponseHead& head) { return is_success(head.status) && !brings_range(head); }

bool has_coding(const ResponseHead& head) {
  return !head.content_encoding.empty() && strcasecmp(head.content_encoding.c_str(), "identity") != 0;
}

std::optional<Rejection> check_transfer(const ResponseHead& head) {
  if (head.transfer_encoding.empty() || strcasecmp(head.transfer_encoding.c_str(), "chunked") == 0) return std::nullopt;
  return unusable(FailureReason::kEncoding,
                  fmt::format("Transfer-Encoding {}, where only chunked can be read", head.transfer_encoding));
}

std::optional<Rejection> check_unasked_coding(const ResponseHead& head) {
  if (!has_coding(head)) return std::nullopt;
  return unusable(FailureReason::kEncoding,
                  fmt::format("Content-Encoding {}, though only identity was asked for", head.content_encoding));
}

std::variant<std::optional<DataSize>, Rejection> check_unranged(const ResponseHead& head) {
  if (!brings_range(head)) return head.content_length;
  if (auto encoded = check_encoding(head)) return *encoded;
  if (head.content_range.empty()) return head.content_length;
  const auto said = parse_content_range(head.content_range);
  const ByteRange all{DataSize{}, !said ? DataSize{} : said->total.value_or(said->range.end)};
  const auto checked = check_partial({.id = {}, .target = {}, .range = all, .file_size = {}}, head);
  if (const auto* rejection = std::get_if<Rejection>(&checked)) return *rejection;
  if (std::get<ByteRange>(checked) == all) return all.end;
  return unusable(FailureReason::kRangeMismatch, fmt::format("206 with Content-Range \"{}\"", head.content_range));
}

std::variant<ByteRange, Rejection> check_response(const RangeRequest& request, const ResponseHead& head) {
  if (request.open && !request.whole_file()) {
    if (const auto size = unsatisfied_size(head); size && *size <= request.range.begin)
      return ByteRange{request.range.begin, request.range.begin};
  }
  if (!is_success(head.status)) {
    Rejection refused = refusal(head);
    refused.beyond_end =
        request.open && request.range.begin > DataSize{} && head.status == 416 && !unsatisfied_size(head);
    return refused;
  }
  if (auto encoded = check_encoding(head)) return *encoded;
  return brings_range(head) ? check_partial(request, head) : check_whole(request, head);
}

std::optional<DataSize> stated_size(const ResponseHead& head) {
  if (brings_whole(head)) return head.content_length;
  if (const auto size = unsatisfied_size(head)) return size;
  const auto range = parse_content_range(head.content_range);
  return range ? range->total : std::nullopt;
}

Rejection cut_off() {
  return {FailureReason::kClosedMidBody,
          "the encrypted connection ended without a word (close_notify), so the answer may be cut off"};
}

FailureReason refusal_reason(long status) {
  using enum FailureReason;
  if (status >= 600 || status < 300) return kProtocol;
  if (status < 400) return kRedirected;
  if (status >= 500 || status == 408 || status == 429) return kServerBusy;
  if (status == 401 || status == 403 || status == 407 || status == 451) return kUnauthorized;
  if (status == 404 || status == 410) return kNotFound;
  return status == 416 ? kNoSuchRange : kBadRequest;
}

}  // namespace tributary::transport
