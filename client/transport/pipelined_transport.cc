#include "transport/pipelined_transport.hh"

#include <algorithm>

#include "transport/connections/own_fields.hh"
#include "units/text/quantity_text.hh"

namespace tributary::transport {
namespace {

// The most that is read before the owner sees the events: about 10 ms at 200 Mbit/s, and 16 TLS records.
constexpr std::size_t kReadBuffer = 256 * 1024;
constexpr Duration kLookAtSlow = std::chrono::milliseconds{500};         // to check whether the other end still lives
constexpr Duration kRoundTripInterval = std::chrono::milliseconds{250};  // asking the kernel is a system call

/// All cookies are in one field (RFC 6265 section 5.4).
void add_fields(const RequestFields& fields, RangeRequest& request) {
  for (const auto& [name, value] : fields) {
    if (!is_same_name(name, "Cookie")) {
      request.fields.emplace_back(name, value);
    } else {
      request.cookies += (request.cookies.empty() ? "" : "; ") + value;
    }
  }
}

}  // namespace

PipelinedTransport::PipelinedTransport(Connect connect, std::string authority, Options options)
    : connect_{std::move(connect)},
      authority_{std::move(authority)},
      options_{std::move(options)},
      buffer_(kReadBuffer) {}

void PipelinedTransport::submit(const RangeRequest& request, TimePoint now) {
  now_ = now;
  waiting_.push_back(request);
  if (options_.cookies) waiting_.back().cookies = options_.cookies(request.path());
  add_fields(options_.fields, waiting_.back());
  dispatch(now);
}

void PipelinedTransport::close(FailureReason reason, TimePoint now) {
  now_ = now;
  fail_outstanding(reason, "the connection was given up");
}

void PipelinedTransport::abandon(TimePoint now) {
  now_ = now;
  const std::string detail = "not wanted any more";
  if (current_ && current_->session) {
    if (successor_ || !current_->session->abandon(now)) return fail_outstanding(FailureReason::kAbandoned, detail);
    collect_events(*current_->session);
    requeue(current_->session->take_unanswered());
  }
  fail_waiting(FailureReason::kAbandoned, detail);
}

void PipelinedTransport::advance(TimePoint now) {
  now_ = now;
  if (!events_.empty()) return;
  bool replaced = true;
  while (replaced && events_.empty()) replaced = attend(now);
  dispatch(now);
}

std::optional<Event> PipelinedTransport::next_event() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

std::optional<TimePoint> PipelinedTransport::next_deadline() const {
  if (!events_.empty() || look_again_) return now_;
  const auto due = deadline_of_progress();
  const auto held = current_ ? current_->stream->held_for() : std::nullopt;
  if (!held || !owes()) return due;
  return std::min(due.value_or(now_ + *held), now_ + *held);
}

std::optional<TimePoint> PipelinedTransport::deadline_of_progress() const {
  if (current_ && current_->stream->state() == ByteStream::State::kConnecting && !current_->stream->reached())
    return current_->made + options_.progress.connecting;
  if (!current_ || !current_->progress || !owes()) return std::nullopt;
  if (current_->look_at) return current_->look_at;
  const TimePoint doubtful = current_->progress->doubtful(smoothed_round_trip());
  if (current_->session->can_ask_for_life() && doubtful > now_) return doubtful;
  return current_->progress->deadline(smoothed_round_trip());
}

void PipelinedTransport::dispatch(TimePoint now) {
  if (!current_ && !waiting_.empty()) current_ = new_channel();
  if (current_) fill(*current_, now);
  if (current_ && current_is_full() && !waiting_.empty() && !successor_) {
    successor_ = new_channel();
  }
  if (successor_) fill(*successor_, now);
}

bool PipelinedTransport::current_is_full() const {
  const auto& session = current_->session;
  return session && (session->draining() || !limit_.allows_after(session->requests()) ||
                     (options_.pace.asking() == OriginPace::Asking::kConnectionEach && session->responses() > 0));
}

bool PipelinedTransport::bears_another_request(const HttpSession& session) const {
  using enum OriginPace::Asking;
  const OriginPace::Asking asking = options_.pace.asking();
  return session.accepts_request() && limit_.allows_after(session.requests()) &&
         (asking == kPipelined || (asking == kOneByOne && !session.busy()) || session.requests() == 0);
}

std::unique_ptr<HttpSession> PipelinedTransport::new_session(const ByteStream& stream) {
  if (stream.application_protocol() == "h2")
    return std::make_unique<Http2Session>(authority_, options_.versions, options_.http2);
  return std::make_unique<Http1Session>(authority_, options_.versions, options_.http1);
}

void PipelinedTransport::fill(Channel& channel, TimePoint now) {
  if (channel.stream->state() != ByteStream::State::kConnected) return;
  if (!channel.session) {
    channel.session = new_session(*channel.stream);
    channel.progress.emplace(options_.progress, now);
  }
  HttpSession& session = *channel.session;
  while (!waiting_.empty() && bears_another_request(session)) {
    if (!session.busy()) channel.progress->on_first_request(now);
    session.submit(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  for (std::size_t sent = 1; sent > 0 && !session.output().empty();) {
    sent = channel.stream->send(session.output());
    session.output_sent(sent);
  }
}

bool PipelinedTransport::attend(TimePoint now) {
  look_again_ = false;
  if (!current_) return false;
  if (current_->stream->state() == ByteStream::State::kFailed) {
    const ByteStream::Failure failure = current_->stream->failure();
    fail_outstanding(failure.reason, failure.detail);
    return false;
  }
  if (current_->stream->state() == ByteStream::State::kConnecting) {
    if (now >= current_->made + options_.progress.connecting && !current_->stream->reached())
      fail_outstanding(FailureReason::kConnectTimeout,
                       "no answer for " + format_duration(options_.progress.connecting) + " while connecting");
    return false;
  }
  fill(*current_, now);
  sample_round_trip(now);
  read(now);
  HttpSession& session = *current_->session;
  collect_events(session);
  if (!session.ended()) requeue(session.take_unanswered());
  if (session.ended() || (successor_ && !session.busy())) {
    retire_current(now);
    return true;
  }
  if (!owes()) return false;
  if (now >= current_->progress->deadline(smoothed_round_trip())) {
    if (const auto silence = current_->stream->silence()) current_->progress->on_part(now - *silence);
  }
  if (now >= current_->progress->deadline(smoothed_round_trip())) {
    give_up_if_silent(now);
  } else if (session.can_ask_for_life() && !current_->stream->silence_of_peer() &&
             now >= current_->progress->doubtful(smoothed_round_trip())) {
    session.ask_for_life();
  }
  return false;
}

OriginPace::Silence PipelinedTransport::silence_of_origin(TimePoint now) const {
  const ProgressTimer& progress = *current_->progress;
  const HttpSession& session = *current_->session;
  return {.lasts = progress.silence(now),
          .suspicious = progress.longest_silence(smoothed_round_trip()),
          .asking = current_->asking,
          .within_answer = session.within_answer(),
          .has_answered = session.responses() > 0};
}

/// By keep-alive: the kernel has asked a silent end, and a dead one would not have answered.
bool PipelinedTransport::other_end_lives() const {
  const auto silence = current_->stream->silence_of_peer();
  const Duration suspicious = current_->progress->longest_silence(smoothed_round_trip());
  return silence && *silence < suspicious - suspicious / 4;
}

/// Gives the connection up if its other end does not live, or if the origin is slower than it has ever been.
void PipelinedTransport::give_up_if_silent(TimePoint now) {
  const OriginPace::Silence silence = silence_of_origin(now);
  const bool lives = other_end_lives();
  if (lives && options_.pace.may_last(silence)) {
    current_->look_at = now + kLookAtSlow;
    return;
  }
  if (lives) options_.pace.was_given_up(silence);
  fail_outstanding(FailureReason::kStalled, "no byte for " + format_duration(silence.lasts));
}

void PipelinedTransport::read(TimePoint now) {
  std::size_t filled = 0;
  ByteStream::Received received;
  do {
    received = current_->stream->receive(std::span{buffer_}.subspan(filled));
    filled += received.size;
  } while (received.size > 0 && filled < buffer_.size());
  look_again_ = filled == buffer_.size();

  if (filled > 0) {
    if (current_->session->on_bytes(std::span{buffer_}.first(filled), now)) {
      if (current_->look_at) options_.pace.went_on_after(current_->progress->silence(now));
      current_->look_at.reset();
      current_->progress->on_bytes(now);
    }
    if (current_->session->out_of_order()) options_.pace.answered_out_of_order();
  }
  if (received.status != StreamStatus::kOpen) current_->session->on_end(received.status);
}

void PipelinedTransport::retire_current(TimePoint now) {
  HttpSession& session = *current_->session;
  if (session.responses() > 0) unanswered_ends_ = 0;
  if (session.draining()) {
    limit_.on_announced_close(session.responses());
  } else if (current_is_full() && options_.pace.asking() != OriginPace::Asking::kConnectionEach) {
    limit_.on_exceeded();
  }
  std::vector<RangeRequest> unanswered = session.take_unanswered();
  if (!unanswered.empty() && (!session.draining() || session.responses() == 0)) ++unanswered_ends_;
  requeue(std::move(unanswered));
  current_ = std::move(successor_);
  look_again_ = current_ != nullptr;
  // The successor's silence begins now, because nothing was read from it before.
  if (current_ && current_->progress) current_->progress->on_first_request(now);
  if (unanswered_ends_ >= 2) {
    fail_outstanding(FailureReason::kClosedUnanswered, "two connections in a row were closed without a response");
  }
}

void PipelinedTransport::requeue(std::vector<RangeRequest> requests) {
  waiting_.insert(waiting_.begin(), std::make_move_iterator(requests.begin()), std::make_move_iterator(requests.end()));
}

void PipelinedTransport::collect_events(HttpSession& session) {
  while (auto event = session.next_event()) events_.push_back(*std::move(event));
}

void PipelinedTransport::sample_round_trip(TimePoint now) {
  if (round_trip_ && now - round_trip_sampled_ < kRoundTripInterval) return;
  if (const auto sample = current_->stream->round_trip()) {
    round_trip_ = sample;
    current_->session->on_round_trip(sample->least);
  }
  round_trip_sampled_ = now;
}

std::optional<RoundTrip> PipelinedTransport::take_round_trip() {
  if (round_trip_ == taken_round_trip_) return std::nullopt;
  taken_round_trip_ = round_trip_;
  return round_trip_;
}

void PipelinedTransport::fail_outstanding(FailureReason reason, const std::string& detail) {
  for (auto* channel : {&current_, &successor_}) {
    if (!*channel) continue;
    if (HttpSession* session = (*channel)->session.get()) {
      session->fail_all(reason, detail);
      collect_events(*session);
    }
    channel->reset();
  }
  fail_waiting(reason, detail);
  unanswered_ends_ = 0;
  look_again_ = false;
}

void PipelinedTransport::fail_waiting(FailureReason reason, const std::string& detail) {
  for (const RangeRequest& request : waiting_) events_.push_back(RequestFailed{request.id, reason, detail});
  waiting_.clear();
}

}  // namespace tributary::transport
