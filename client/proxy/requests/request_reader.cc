#include "proxy/requests/request_reader.hh"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <charconv>
#include <utility>

namespace tributary::proxy {

namespace http = boost::beast::http;

namespace {

/// A character that no line of a head may have. Names and the request line are narrower, which is up to the parser.
bool is_forbidden(char c) { return (c >= 0 && c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7f; }

std::optional<Refusal> defect_at(std::string_view bytes, std::size_t i) {
  const char c = bytes[i];
  if (is_forbidden(c)) return Refusal{400, "a control character"};
  if (c == '\n' && (i == 0 || bytes[i - 1] != '\r')) return Refusal{400, "a line feed by itself"};
  if (i == 0) return {};
  if (c != '\n' && bytes[i - 1] == '\r') return Refusal{400, "a carriage return by itself"};
  if ((c == ' ' || c == '\t') && bytes[i - 1] == '\n') return Refusal{400, "a folded line"};
  return {};
}

/// Nothing: it has none, or one that cannot be read.
std::optional<std::size_t> stated_length(const Fields& fields) {
  const std::optional<std::string> text = field(fields, "Content-Length");
  if (!text) return 0;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), length);
  if (error != std::errc{} || end != text->data() + text->size()) return {};
  return length;
}

/// Where a proxy before us, or we ourselves, could be wrong about where the request ends.
std::optional<Refusal> defect_of_framing(const ReceivedRequest& request) {
  if (count_fields(request.fields, "Host") > 1) return Refusal{400, "more than one Host"};
  if (count_fields(request.fields, "Content-Length") > 1) return Refusal{400, "more than one Content-Length"};
  if (count_fields(request.fields, "Transfer-Encoding") > 0) {
    return count_fields(request.fields, "Content-Length") > 0 ? Refusal{400, "a length and a transfer coding"}
                                                              : Refusal{501, "a transfer coding"};
  }
  const std::optional<std::size_t> length = stated_length(request.fields);
  if (!length) return Refusal{400, "a Content-Length that is no number"};
  if (*length > RequestLimits::kBody) return Refusal{413, "the body is too large"};
  if (*length > 0 && request.method != "POST") return Refusal{400, "a body where none belongs"};
  if (count_fields(request.fields, "Expect") > 0) return Refusal{417, "Expect"};
  return {};
}

}  // namespace

void RequestReader::put(std::string_view bytes) { bytes_ += bytes; }

/// Sets head_size_ if the head is here.
std::optional<Refusal> RequestReader::look_for_head() {
  for (; examined_ < bytes_.size(); ++examined_) {
    if (const auto defect = defect_at(bytes_, examined_)) return defect;
    if (examined_ >= RequestLimits::kHead) return Refusal{431, "the head is too large"};
    if (bytes_[examined_] == '\n' && examined_ >= 3 && bytes_[examined_ - 2] == '\n') {
      head_size_ = ++examined_;
      break;
    }
  }
  const std::size_t line = std::min(bytes_.find('\n'), bytes_.size());
  if (line > RequestLimits::kLine) return Refusal{414, "the request line is too long"};
  return {};
}

std::variant<ReceivedRequest, Refusal> RequestReader::read_head(std::string_view head) {
  http::request_parser<http::empty_body> parser;
  parser.header_limit(RequestLimits::kHead);
  parser.body_limit(boost::none);  // lengths are looked at below
  boost::beast::error_code error;
  const std::size_t used = parser.put(boost::asio::buffer(head), error);
  if (error == http::error::bad_version) return Refusal{505, "another version of HTTP"};
  if (error || !parser.is_header_done() || used != head.size()) return Refusal{400, "no request of HTTP"};
  const auto& message = parser.get();
  if (message.version() != 10 && message.version() != 11) return Refusal{505, "another version of HTTP"};
  ReceivedRequest request{.method = std::string{message.method_string()},
                          .target = std::string{message.target()},
                          .http_1_0 = message.version() == 10,
                          .keep_alive = message.keep_alive()};
  for (const auto& field : message) {
    request.fields.emplace_back(std::string{field.name_string()}, std::string{field.value()});
  }
  if (const auto defect = defect_of_framing(request)) return *defect;
  return request;
}

std::optional<std::variant<ReceivedRequest, Refusal>> RequestReader::next() {
  if (!head_) {
    if (const auto defect = look_for_head()) return *defect;
    if (head_size_ == 0) return {};
    auto read = read_head(std::string_view{bytes_}.substr(0, head_size_));
    if (std::holds_alternative<Refusal>(read)) return read;
    head_ = std::move(std::get<ReceivedRequest>(read));
    body_size_ = *stated_length(head_->fields);
  }
  if (bytes_.size() < head_size_ + body_size_) return {};
  head_->body = bytes_.substr(head_size_, body_size_);
  bytes_.erase(0, head_size_ + body_size_);
  examined_ = head_size_ = body_size_ = 0;
  return *std::exchange(head_, std::nullopt);
}

}  // namespace tributary::proxy
