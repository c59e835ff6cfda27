#include "transport/http/response_parser.hh"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "transport/http/response_lines.hh"

namespace tributary::transport {
namespace {

/// The size in "1a2b;extension"; text behind the digits does not count. Nothing if there are no digits, or too many.
std::optional<DataSize> chunk_size_in(std::string_view line) {
  constexpr int kHexadecimal = 16;
  std::int64_t size = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), size, kHexadecimal);
  if (error != std::errc{} || size < 0) return std::nullopt;
  return DataSize{size};
}

bool is_blank(std::string_view line) { return line.empty() || line == "\r"; }

}  // namespace

class ResponseParser::Impl {
 public:
  Impl(DataSize head_limit, DifferingLengths lengths)
      : head_limit_{static_cast<std::size_t>(head_limit.bytes())}, lengths_{lengths} {}

  Found parse(std::span<const std::byte>& input) {
    while (true) {
      switch (state_) {
        case State::kEnd:
          state_ = State::kStatus;
          return Found::kEnd;
        case State::kError:
          return Found::kError;
        case State::kBody:
        case State::kChunk:
          if (left_ && *left_ == DataSize{}) {
            state_ = state_ == State::kBody ? State::kEnd : State::kChunkEnd;
            break;
          }
          if (input.empty()) return Found::kNothing;
          take_body(input);
          return Found::kBody;
        case State::kStatus:
        case State::kFields:
        case State::kChunkSize:
        case State::kChunkEnd:
        case State::kTrailer:
          if (!take_line(input)) {
            if (state_ != State::kError) return Found::kNothing;
            break;
          }
          const State before = state_;
          on_line(line_);
          line_.clear();
          if (before == State::kFields && state_ != before && state_ != State::kError) return Found::kHead;
      }
    }
  }

  const ResponseHead& head() const { return head_; }
  std::span<const std::byte> body() const { return body_; }
  const std::string& error() const { return error_; }

 private:
  enum class State { kStatus, kFields, kBody, kChunkSize, kChunk, kChunkEnd, kTrailer, kEnd, kError };

  /// Adds to line_, up to the LF, which is left out. False if the LF has not come.
  bool take_line(std::span<const std::byte>& input) {
    const auto end = std::ranges::find(input, std::byte{'\n'});
    const auto size = static_cast<std::size_t>(end - input.begin());
    line_bytes_ += size + 1;  // an empty line counts, too
    if (line_bytes_ > head_limit_) {
      fail("the head is longer than it may be");
      return false;
    }
    line_.append(reinterpret_cast<const char*>(input.data()), size);
    const bool has_end = end != input.end();
    input = input.subspan(size + (has_end ? 1 : 0));
    return has_end;
  }

  void on_line(std::string_view line) {
    switch (state_) {
      case State::kStatus:
        if (is_blank(line)) break;  // RFC 9112 section 2.2 has this for requests; servers send empty lines, too
        if (!lines_.take(line)) return fail("no status line");
        state_ = State::kFields;
        break;
      case State::kFields:
        if (is_blank(line)) return end_head();
        lines_.take(line);
        break;
      case State::kChunkSize:
        return begin_chunk(line);
      case State::kChunkEnd:
        if (!is_blank(line)) return fail("a chunk is longer than its size says");
        begin_lines(State::kChunkSize);
        break;
      default:  // the trailer, which is ignored
        if (is_blank(line)) end_body();
    }
  }

  void end_head() {
    head_ = lines_.head();
    const std::string defect = head_.delimited ? "" : lines_.length_defect(lengths_);
    lines_.clear();
    if (!defect.empty()) return fail(defect);
    const bool has_body = head_.status >= 200 && head_.status != 204 && head_.status != 304;
    if (!has_body) return end_body();
    if (head_.delimited) return begin_lines(State::kChunkSize);
    left_ = head_.transfer_encoding.empty() ? head_.content_length : std::nullopt;
    if (!left_) head_.keep_alive = false;
    state_ = State::kBody;
  }

  void begin_chunk(std::string_view line) {
    left_ = chunk_size_in(line);
    if (!left_) return fail("no size of a chunk");
    if (*left_ == DataSize{}) return begin_lines(State::kTrailer);
    state_ = State::kChunk;
  }

  void take_body(std::span<const std::byte>& input) {
    const std::size_t size = left_ ? static_cast<std::size_t>(std::min(*left_, size_of(input)).bytes()) : input.size();
    body_ = input.first(size);
    input = input.subspan(size);
    if (left_) *left_ -= size_of(body_);
  }

  void end_body() {
    begin_lines(State::kEnd);
    body_ = {};
  }

  void begin_lines(State state) {
    state_ = state;
    line_bytes_ = 0;
  }

  void fail(std::string why) {
    state_ = State::kError;
    error_ = std::move(why);
  }

  std::size_t head_limit_;
  DifferingLengths lengths_;
  State state_ = State::kStatus;
  std::string line_;            // the unfinished line
  std::size_t line_bytes_ = 0;  // of the head, of a chunk's lines, or of the trailer
  ResponseLines lines_;
  ResponseHead head_;
  std::optional<DataSize> left_;  // of the body or chunk; nothing: up to the end of the connection
  std::span<const std::byte> body_;
  std::string error_;
};

ResponseParser::ResponseParser(DataSize head_limit, DifferingLengths lengths)
    : impl_{std::make_unique<Impl>(head_limit, lengths)} {}
ResponseParser::~ResponseParser() = default;

ResponseParser::Found ResponseParser::parse(std::span<const std::byte>& input) { return impl_->parse(input); }
const ResponseHead& ResponseParser::head() const { return impl_->head(); }
std::span<const std::byte> ResponseParser::body() const { return impl_->body(); }
const std::string& ResponseParser::error() const { return impl_->error(); }

}  // namespace tributary::transport
