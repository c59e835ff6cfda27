#include "transport/http/http1_session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>
#include <variant>

#include "transport/connections/own_fields.hh"

namespace tributary::transport {
namespace {

/// Some programs write an empty line too many behind a response.
bool is_blank(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{'\r'} || byte == std::byte{'\n'}; });
}

}  // namespace

Http1Session::Http1Session(std::string authority, FileVersions& versions, Limits limits)
    : authority_{std::move(authority)}, versions_{versions}, limits_{limits}, parser_{limits.head} {}

bool Http1Session::accepts_request() const { return !ended_ && !draining_ && (ranges_proven_ || !busy()); }

void Http1Session::submit(RangeRequest request) {
  assert(accepts_request() && !request.range.empty() && request.path().starts_with('/'));
  // Identity, because ranges of a coded answer would be those of the coded form.
  output_ += fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n", request.path(), authority_);
  if (const std::string range = range_field(request); !range.empty()) output_ += fmt::format("Range: {}\r\n", range);
  if (!has_field(request.fields, "Accept")) output_ += "Accept: */*\r\n";
  output_ += "Accept-Encoding: identity\r\n";
  if (const std::string tag = if_range(request, versions_); !tag.empty())
    output_ += fmt::format("If-Range: {}\r\n", tag);
  if (!request.cookies.empty()) output_ += fmt::format("Cookie: {}\r\n", request.cookies);
  for (const auto& [name, value] : request.fields) output_ += fmt::format("{}: {}\r\n", name, value);
  if (!has_field(request.fields, "User-Agent")) output_ += "User-Agent: tributary\r\n";
  output_ += "\r\n";
  asked_.push_back(std::move(request));
}

void Http1Session::output_sent(std::size_t size) {
  output_sent_ += size;
  assert(output_sent_ <= output_.size());
  if (output_sent_ == output_.size()) {
    output_.clear();
    output_sent_ = 0;
  }
}

bool Http1Session::on_bytes(std::span<const std::byte> bytes, TimePoint /*now*/) {
  while (!ended_) {
    if (!busy() && !is_blank(bytes)) {  // an unrequested response, such as a 408 before an idle close
      ended_ = true;
      break;
    }
    switch (parser_.parse(bytes)) {
      case ResponseParser::Found::kNothing:
        return true;
      case ResponseParser::Found::kHead:
        on_head(parser_.head());
        break;
      case ResponseParser::Found::kBody:
        on_body(parser_.body());
        break;
      case ResponseParser::Found::kEnd:
        on_response_end();
        break;
      case ResponseParser::Found::kError:
        on_garbage();
        break;
    }
  }
  return true;
}

void Http1Session::on_head(const ResponseHead& head) {
  if (head.status >= 100 && head.status < 200) return;  // an interim response: the final one is still to come
  if (head.status == 408 && !head.keep_alive && responses_ > 0) {
    ended_ = true;  // an idle time-out that crossed our request; counts as a close without an answer
    return;
  }
  if (answers_a_later_request(head)) {
    out_of_order_ = ended_ = true;
    return;
  }
  answer_.emplace(std::move(asked_.front()), events_);
  asked_.pop_front();
  discarded_ = {};
  ++responses_;
  draining_ = !head.keep_alive;

  if (const auto rejection = answer_->on_head(head, versions_)) {
    const bool too_long = head.content_length && *head.content_length > limits_.discarded_body;
    ended_ = rejection->close_connection || draining_ || too_long;
    return;
  }
  if (brings_range(head)) ranges_proven_ = true;
  answer_->begin();
}

/// The head fits a later outstanding request, and not the one that is next.
bool Http1Session::answers_a_later_request(const ResponseHead& head) const {
  const auto fits = [&](const RangeRequest& request) {
    return std::holds_alternative<ByteRange>(check_response(request, head));
  };
  return brings_range(head) && !fits(asked_.front()) && std::ranges::any_of(asked_, fits);
}

void Http1Session::on_body(std::span<const std::byte> bytes) {
  if (answer_->rejected()) {
    discarded_ += size_of(bytes);
    ended_ = discarded_ > limits_.discarded_body;
  } else if (!answer_->on_body(bytes)) {
    answer_.reset();
    ended_ = true;
  }
}

void Http1Session::on_response_end() {
  if (!answer_) return;  // an interim response
  answer_->end_of_body();
  answer_.reset();
  ended_ = draining_;
}

void Http1Session::on_garbage() {
  const std::string detail = "not HTTP/1.1: " + parser_.error();
  if (answer_) {
    end_answer(FailureReason::kProtocol, detail);
  } else {
    fail(asked_.front(), FailureReason::kProtocol, detail);
    asked_.pop_front();
  }
  ended_ = true;
}

void Http1Session::end_answer(FailureReason reason, std::string detail) {
  answer_->end(reason, std::move(detail));
  answer_.reset();
}

void Http1Session::on_end(StreamStatus how) {
  if (ended_) return;
  ended_ = true;
  if (!answer_) return;
  const bool ends_so = !parser_.head().content_length && !parser_.head().delimited;  // HTTP/1.0
  if (ends_so && how == StreamStatus::kClosed && answer_->request().whole_file() && answer_->has_given_bytes()) {
    answer_->end_of_body();
    answer_.reset();
  } else if (ends_so && how == StreamStatus::kCutOff) {
    end_answer(cut_off().reason, cut_off().detail);
  } else if (how == StreamStatus::kReset) {
    end_answer(FailureReason::kReset, "the connection was reset within the response");
  } else {
    end_answer(FailureReason::kClosedMidBody, "the origin closed within the response");
  }
}

void Http1Session::fail_all(FailureReason reason, const std::string& detail) {
  ended_ = true;
  if (answer_) end_answer(reason, detail);
  for (const RangeRequest& request : std::exchange(asked_, {})) fail(request, reason, detail);
}

void Http1Session::fail(const RangeRequest& request, FailureReason reason, std::string detail) {
  events_.emplace_back(RequestFailed{request.id, reason, std::move(detail)});
}

std::optional<Event> Http1Session::next_event() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

std::vector<RangeRequest> Http1Session::take_unanswered() {
  if (!draining_ && !ended_) return {};
  std::vector<RangeRequest> unanswered{std::make_move_iterator(asked_.begin()), std::make_move_iterator(asked_.end())};
  asked_.clear();
  return unanswered;
}

}  // namespace tributary::transport
