#include "transport/response_parser.hh"

#include <boost/beast/http/parser.hpp>
#include <cassert>
#include <cstring>
#include <limits>
#include <string_view>

namespace tributary::transport {
namespace {

namespace http = boost::beast::http;
namespace asio = boost::asio;
using boost::beast::error_code;

/// A body type for Beast that keeps where the last piece lies instead of copying it.
struct BorrowedBody {
  using value_type = std::span<const std::byte>;

  class reader {
   public:
    template <bool IsRequest, class Fields>
    reader(http::header<IsRequest, Fields>& /*head*/, value_type& piece) : piece_{piece} {}

    void init(const boost::optional<std::uint64_t>& /*length*/, error_code& error) { error = {}; }

    template <class Buffers>
    std::size_t put(const Buffers& buffers, error_code& error) {
      error = {};
      const asio::const_buffer buffer = *asio::buffer_sequence_begin(buffers);
      piece_ = {static_cast<const std::byte*>(buffer.data()), buffer.size()};
      return buffer.size();
    }

    void finish(error_code& error) { error = {}; }

   private:
    value_type& piece_;
  };
};

/// A last chunk that is the first one, and of which all but an octet of its end has come: Beast asserts that there are five.
bool is_too_short(std::span<const std::byte> chunk) {
  constexpr std::string_view kLast = "0\r\n";
  return chunk.size() == kLast.size() + 1 && std::memcmp(chunk.data(), kLast.data(), kLast.size()) == 0;
}

std::string text(boost::string_view view) { return {view.data(), view.size()}; }

std::string values_of(const http::fields& fields, http::field name) {
  std::string joined;
  const auto [begin, end] = fields.equal_range(name);
  for (auto field = begin; field != end; ++field) joined += (field == begin ? "" : ", ") + text(field->value());
  return joined;
}

}  // namespace

class ResponseParser::Impl {
 public:
  explicit Impl(DataSize head_limit) : head_limit_{static_cast<std::size_t>(head_limit.bytes())} { begin_response(); }

  Found parse(std::span<const std::byte>& input) {
    if (!error_.empty()) return Found::kError;
    while (true) {
      if (head_told_ && parser_->is_done()) {
        begin_response();
        return Found::kEnd;
      }
      if (input.empty()) return Found::kNothing;
      parser_->get().body() = {};
      if (const error_code error = put(input); error) {
        error_ = error.message();
        return Found::kError;
      }
      if (!head_told_ && parser_->is_header_done()) {
        head_told_ = true;
        read_head();
        return Found::kHead;
      }
      if (!parser_->get().body().empty()) return Found::kBody;
    }
  }

  const ResponseHead& head() const { return head_; }
  std::span<const std::byte> body() const { return parser_->get().body(); }
  const std::string& error() const { return error_; }

 private:
  void begin_response() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(head_limit_));
    parser_->body_limit(boost::none);
    parser_->eager(false);  // one step for each put: a body piece then always lies within our input
    head_told_ = false;
  }

  /// One step of the parser. Beast wants a head, and the line before a chunk, in one piece: what is
  /// incomplete waits in fragment_ and is offered again together with what follows.
  error_code put(std::span<const std::byte>& input) {
    error_code error;
    if (fragment_.empty()) {
      input = input.subspan(parser_->put(asio::buffer(input.data(), input.size()), error));
      if (error != http::error::need_more) return error;
      fragment_.assign(input.begin(), input.end());
    } else {
      const std::size_t old = fragment_.size();
      fragment_.insert(fragment_.end(), input.begin(), input.end());
      if (head_told_ && is_too_short(fragment_)) {
        input = {};
        return {};
      }
      const std::size_t taken = parser_->put(asio::buffer(fragment_), error);
      if (error != http::error::need_more) {
        assert(error || taken >= old);
        if (!error) input = input.subspan(taken - old);
        fragment_.clear();
        return error;
      }
      fragment_.erase(fragment_.begin(), fragment_.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    input = {};
    if (fragment_.size() > head_limit_) return http::error::header_limit;
    return {};
  }

  void read_head() {
    const auto& message = parser_->get();
    const auto length = parser_->content_length();
    // A length that no file can have is as good as none.
    const bool possible = length && *length <= std::numeric_limits<std::int64_t>::max();
    head_ = {
        .status = static_cast<int>(message.result_int()),
        .reason = text(message.reason()),
        .content_length = possible ? std::optional{DataSize{static_cast<std::int64_t>(*length)}} : std::nullopt,
        .delimited = parser_->chunked(),
        .keep_alive = parser_->keep_alive(),
        .content_range = values_of(message, http::field::content_range),
        .content_type = values_of(message, http::field::content_type),
        .content_encoding = values_of(message, http::field::content_encoding),
        .etag = values_of(message, http::field::etag),
        .last_modified = values_of(message, http::field::last_modified),
        .location = values_of(message, http::field::location),
        .retry_after = values_of(message, http::field::retry_after),
        .date = values_of(message, http::field::date),
        .transfer_encoding = values_of(message, http::field::transfer_encoding),
    };
  }

  std::size_t head_limit_;
  std::optional<http::response_parser<BorrowedBody>> parser_;
  std::vector<std::byte> fragment_;
  bool head_told_ = false;
  ResponseHead head_;
  std::string error_;
};

ResponseParser::ResponseParser(DataSize head_limit) : impl_{std::make_unique<Impl>(head_limit)} {}
ResponseParser::~ResponseParser() = default;

ResponseParser::Found ResponseParser::parse(std::span<const std::byte>& input) { return impl_->parse(input); }
const ResponseHead& ResponseParser::head() const { return impl_->head(); }
std::span<const std::byte> ResponseParser::body() const { return impl_->body(); }
const std::string& ResponseParser::error() const { return impl_->error(); }

}  // namespace tributary::transport
