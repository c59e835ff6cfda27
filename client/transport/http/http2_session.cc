#include "transport/http/http2_session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace tributary::transport {
namespace {

// Granted beyond the last wanted byte: some servers (nghttp2's, and so Apache) see the end of a body only if they may
// send more.
constexpr DataSize kBeyond{1};
constexpr std::int64_t kLeastGrantShare = 4;  // a grant costs a frame, so it is at least this part of the window

}  // namespace

Http2Session::Http2Session(std::string authority, FileVersions& versions, Limits limits)
    : authority_{std::move(authority)},
      versions_{versions},
      limits_{limits},
      window_{limits.window},
      framing_{*this, limits.framing} {}

bool Http2Session::busy() const {
  return std::ranges::any_of(streams_, [](const auto& entry) { return !entry.second.answer.rejected(); });
}

bool Http2Session::within_answer() const {
  return std::ranges::any_of(streams_, [](const auto& entry) { return entry.second.headed; });
}

bool Http2Session::accepts_request() const {
  if (ended_ || draining_ || streams_.size() >= std::min<std::size_t>(framing_.most_streams(), limits_.streams))
    return false;
  return ranges_proven_ || !busy();
}

void Http2Session::submit(RangeRequest request) {
  assert(accepts_request() && !request.range.empty() && request.path().starts_with('/'));
  const std::string range = range_field(request);
  const std::int32_t after = streams_.empty() ? 0 : streams_.rbegin()->first;
  const std::string tag = if_range(request, versions_);
  const auto stream = framing_.open({authority_, request.path(), range, tag, request.cookies, request.fields, after});
  if (!stream) {  // all stream numbers are used up
    draining_ = true;
    unanswered_.push_back(std::move(request));
    return end_if_done();
  }
  streams_.emplace(*stream, Stream{.answer = {std::move(request), events_}});
}

bool Http2Session::on_bytes(std::span<const std::byte> bytes, TimePoint now) {
  if (ended_) return false;
  now_ = now;
  alive_ = false;
  framing_.on_bytes(bytes);
  window_.on_bytes(size_of(bytes), now);
  grant_in_order();
  framing_.output();  // if the origin broke the rules, our error frame ends the connection
  if (framing_.broken()) {
    on_broken();
  } else if (ended_) {
    give_up(FailureReason::kClosedMidBody, "the connection was given up, after too many answers of no use");
  } else {
    end_if_done();
  }
  return alive_;
}

void Http2Session::on_opened(std::int32_t stream) {
  if (const auto found = streams_.find(stream); found != streams_.end()) {
    found->second.opened = true;
    grant_in_order();
  }
}

DataSize Http2Session::grantable(const Stream& stream, const Limits& limits) {
  if (!stream.opened) return {};
  const DataSize left =
      stream.answer.rejected() ? limits.discarded_body - stream.discarded : stream.answer.left() + kBeyond;
  return std::max(left - stream.granted, DataSize{});
}

void Http2Session::grant_in_order() {
  const DataSize least{window_.size().bytes() / kLeastGrantShare};
  for (auto& [number, stream] : streams_) {
    const DataSize wanted = grantable(stream, limits_);
    if (wanted == DataSize{}) continue;
    const DataSize grant = std::min(wanted, window_.size() - under_way_);
    if (grant < std::min(wanted, least)) return;
    framing_.grant(number, grant);
    stream.granted += grant;
    under_way_ += grant;
  }
}

void Http2Session::on_head(std::int32_t number, const ResponseHead& head) {
  const auto found = streams_.find(number);
  if (found == streams_.end() || found->second.headed) return;
  Stream& stream = found->second;
  stream.headed = true;
  alive_ = true;
  refusals_ = 0;
  pongs_ = 0;
  ++responses_;
  if (stream.answer.on_head(head, versions_)) {
    if (!head.content_length || *head.content_length > limits_.discarded_body) call_off(found);
  } else if (brings_range(head)) {
    ranges_proven_ = true;
  }
}

void Http2Session::on_body(std::int32_t number, std::span<const std::byte> bytes) {
  const auto found = streams_.find(number);
  if (found == streams_.end()) return;
  Stream& stream = found->second;
  pay(stream, size_of(bytes));
  pongs_ = 0;
  if (stream.answer.rejected()) {
    stream.discarded += size_of(bytes);
    if (stream.discarded >= limits_.discarded_body) call_off(found);
    return;
  }
  // Not at the head: the heads of all streams come at once, long before the turn of each.
  if (!std::exchange(stream.began, true)) stream.answer.begin();
  if (!stream.answer.on_body(bytes)) call_off(found);
}

void Http2Session::on_padding(std::int32_t number, DataSize size) {
  if (const auto found = streams_.find(number); found != streams_.end()) pay(found->second, size);
}

void Http2Session::pay(Stream& stream, DataSize size) {
  const DataSize paid = std::min(size, stream.granted);
  stream.granted -= paid;
  under_way_ -= paid;
}

void Http2Session::call_off(Streams::iterator stream) {
  if (!resets_.take(1, now_)) {
    ended_ = true;  // servers do not tolerate more resets
    return;
  }
  framing_.cancel(stream->first);
  under_way_ -= stream->second.granted;
  streams_.erase(stream);
}

void Http2Session::on_closed(std::int32_t number, Http2Framing::Error error, bool by_origin) {
  using Error = Http2Framing::Error;
  auto taken = streams_.extract(number);
  if (taken.empty()) return;
  Stream& stream = taken.mapped();
  under_way_ -= stream.granted;
  if (error == Error::kNone) {
    if (!stream.headed) return stream.answer.end(FailureReason::kProtocol, "a response without a head");
    return stream.answer.end_of_body();
  }
  if (error == Error::kRefusedStream && !stream.answer.has_given_bytes()) return refused(stream);
  const std::string detail = fmt::format(
      "{} (HTTP/2 error {})", by_origin ? "the origin reset the stream" : "the response broke HTTP/2's rules",
      static_cast<std::uint32_t>(error));
  // A reset in place of an answer, over a working connection, is the answer to this request.
  const bool is_answer = !stream.headed && error != Error::kEnhanceYourCalm;
  if (!by_origin || is_answer || error == Error::kHttp11Required)
    return stream.answer.end(FailureReason::kProtocol, detail);
  stream.answer.end(error == Error::kEnhanceYourCalm ? FailureReason::kServerBusy : FailureReason::kReset, detail);
}

/// A refused stream: the origin has not processed the request (RFC 9113 section 8.7).
void Http2Session::refused(Stream& stream) {
  if (stream.answer.rejected()) return;
  if (draining_ || ++refusals_ < limits_.refusals) return hand_back(stream);
  stream.answer.end(FailureReason::kServerBusy, "the origin refuses one stream after the other");
}

void Http2Session::ask_for_life() {
  pinged_ = true;
  framing_.ping();
}

void Http2Session::on_pong() {
  pinged_ = false;
  if (pongs_++ < limits_.pongs) alive_ = true;
}

bool Http2Session::abandon(TimePoint now) {
  if (!busy()) return true;
  if (!resets_.take(static_cast<int>(streams_.size()), now)) return false;
  for (auto& [number, stream] : std::exchange(streams_, {})) {
    framing_.cancel(number);
    if (!stream.headed) ++responses_;
    stream.answer.end(FailureReason::kAbandoned, "not wanted any more");
  }
  under_way_ = {};
  end_if_done();
  return true;
}

void Http2Session::on_broken() {
  ended_ = true;
  // The broken answer is unknown. Answers that have begun fail; if there are none, the first request fails.
  const std::string detail = "not HTTP/2: " + framing_.error();
  const auto begun = [](const auto& entry) { return entry.second.answer.has_given_bytes(); };
  if (!streams_.empty() && std::ranges::none_of(streams_, begun)) {
    streams_.begin()->second.answer.end(FailureReason::kProtocol, detail);
  }
  give_up(FailureReason::kProtocol, detail);
}

void Http2Session::on_end(StreamStatus how) {
  if (std::exchange(ended_, true)) return;
  if (how == StreamStatus::kReset) {
    give_up(FailureReason::kReset, "the connection was reset within the response");
  } else {
    give_up(FailureReason::kClosedMidBody, "the origin closed within the response");
  }
}

void Http2Session::give_up(FailureReason reason, const std::string& detail) {
  for (auto& [number, stream] : std::exchange(streams_, {})) {
    if (stream.answer.rejected()) continue;
    if (stream.answer.has_given_bytes()) {
      stream.answer.end(reason, detail);
    } else {
      hand_back(stream);
    }
  }
}

void Http2Session::fail_all(FailureReason reason, const std::string& detail) {
  ended_ = true;
  for (auto& [number, stream] : std::exchange(streams_, {})) stream.answer.end(reason, detail);
  for (RangeRequest& request : std::exchange(unanswered_, {}))
    events_.emplace_back(RequestFailed{request.id, reason, detail});
}

void Http2Session::end_if_done() {
  if (draining_ && !busy()) ended_ = true;
}

std::optional<Event> Http2Session::next_event() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

int Http2Session::requests() const {
  return responses_ +
         static_cast<int>(std::ranges::count_if(streams_, [](const auto& entry) { return !entry.second.headed; }));
}

std::vector<RangeRequest> Http2Session::take_unanswered() {
  std::vector<RangeRequest> unanswered = std::exchange(unanswered_, {});
  std::ranges::sort(unanswered, {}, &RangeRequest::id);
  return unanswered;
}

}  // namespace tributary::transport
