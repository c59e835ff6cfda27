#include "transport/http1_session.hh"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace tributary::transport {

Http1Session::Http1Session(std::string authority, EntityTags& tags, Limits limits)
    : authority_{std::move(authority)}, tags_{tags}, limits_{limits}, parser_{limits.head} {}

bool Http1Session::accepts_request() const { return !ended_ && !draining_ && (ranges_proven_ || !busy()); }

void Http1Session::submit(RangeRequest request) {
  assert(accepts_request() && !request.range.empty() && request.target.starts_with('/'));
  // Identity: a content coding would make the ranges those of the coded form. No If-Range: if the file has
  // changed it gives the whole new file, where we want to know and to get nothing.
  output_ += fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nRange: bytes={}-{}\r\nAccept-Encoding: identity\r\n"
      "User-Agent: tributary\r\n\r\n",
      request.target, authority_, request.range.begin.bytes(), request.range.end.bytes() - 1);
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

void Http1Session::on_bytes(std::span<const std::byte> bytes) {
  while (!ended_) {
    if (!busy() && !bytes.empty()) {  // a response nobody asked for; a 408 before an idle close is one
      ended_ = true;
      return;
    }
    switch (parser_.parse(bytes)) {
      case ResponseParser::Found::kNothing:
        return;
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
}

void Http1Session::on_head(const ResponseHead& head) {
  if (head.status >= 100 && head.status < 200) return;  // interim: the answer is still to come
  if (head.status == 408 && !head.keep_alive && responses_ > 0) {
    ended_ = true;  // an idle time-out that crossed our request: as good as a close without an answer
    return;
  }
  answer_.emplace().request = std::move(asked_.front());
  asked_.pop_front();
  ++responses_;
  draining_ = !head.keep_alive;

  const auto checked = check_response(answer_->request, head);
  if (const auto* rejection = std::get_if<Rejection>(&checked)) return reject(*rejection, head);
  if (!tags_.agree(answer_->request.target, answer_->request.etag) ||
      !tags_.agree(answer_->request.target, head.etag)) {
    return reject({FailureReason::kEntityChanged, "another ETag than before: " + head.etag, true}, head);
  }
  answer_->body = std::get<ByteRange>(checked);
  answer_->next = answer_->body.begin;
  if (head.status == 206) ranges_proven_ = true;
  events_.emplace_back(ResponseBegan{answer_->request.id});
}

void Http1Session::reject(const Rejection& rejection, const ResponseHead& head) {
  fail(answer_->request, rejection.reason, rejection.detail);
  answer_->rejected = true;
  const bool too_long = head.content_length && *head.content_length > limits_.discarded_body;
  ended_ = rejection.close_connection || draining_ || too_long;
}

void Http1Session::on_body(std::span<const std::byte> bytes) {
  const DataSize size{static_cast<std::int64_t>(bytes.size())};
  if (answer_->rejected) {
    answer_->discarded += size;
    ended_ = answer_->discarded > limits_.discarded_body;
    return;
  }
  if (answer_->next + size > answer_->body.end) {  // only a chunked body can
    end_answer(FailureReason::kProtocol, "a body longer than its Content-Range");
    ended_ = true;
    return;
  }
  events_.emplace_back(BodyReceived{answer_->request.id, answer_->next, bytes});
  answer_->next += size;
}

void Http1Session::on_response_end() {
  if (!answer_) return;  // an interim response
  end_answer(
      FailureReason::kRangeMismatch,
      fmt::format("the answer ended at byte {} of {}", (answer_->next - answer_->request.range.begin).bytes(),
                  answer_->request.range.size().bytes()));
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
  const Answer answer = *std::exchange(answer_, std::nullopt);
  if (answer.rejected) return;
  if (answer.next == answer.request.range.end) {
    events_.emplace_back(RequestDone{answer.request.id});
  } else {
    fail(answer.request, reason, std::move(detail));
  }
}

void Http1Session::on_end(StreamStatus how) {
  if (ended_) return;
  ended_ = true;
  if (!answer_) return;
  if (how == StreamStatus::kReset) {
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
  std::vector<RangeRequest> unanswered{std::make_move_iterator(asked_.begin()),
                                       std::make_move_iterator(asked_.end())};
  asked_.clear();
  return unanswered;
}

}  // namespace tributary::transport
