#include "download/beside/patient_download.hh"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "download/report/exit_status.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kCompareEvery = 1s;
constexpr int kMostBehind = 2;
constexpr Duration kInVain = 10s;  // a link that was lost for a while does not refuse anything

}  // namespace

transport::OriginPace endless_patience() {
  transport::OriginPace pace;
  pace.went_on_after(std::chrono::hours{24});
  return pace;
}

PatientDownload::PatientDownload(ChunkSink& sink, const DownloadState& state, Options options)
    : sink_{sink},
      state_{state},
      options_{std::move(options)},
      patience_{patience(options_.turnaround)},
      here_{state.complete.size()},
      compare_at_{kCompareEvery},
      here_before_{here_},
      report_{options_.chunks, state} {
  session_.from = state.size;
  if (!options_.front) return;
  front_.emplace(std::move(options_.front), options_.brings, sink_, state_, patience_, now());
  if (!options_.holds_links) return;
  // Where there is a single chunk, another link would bring the same.
  holds_ = options_.chunks.size() == 1 ? Holds::kAllLinks : Holds::kItsLink;
}

TimePoint PatientDownload::now() const {
  return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

// ---- With a session

void PatientDownload::advance(TimePoint now, std::deque<TimedEvent>& happened) {
  world_ = now;
  advance();
  if (!running() && !whole() && !is_of_another_ && told_ >= quiet_since_ + patience_) begin(told_);
  if (told_ >= came_at_ + kInVain && failure_ && !running()) ranges_in_vain_ = options_.may_be_had_whole;
  tell(now, happened);
}

void PatientDownload::tell(TimePoint now, std::deque<TimedEvent>& happened) {
  if (told_end_) return;
  told_end_ = is_of_another_ || ranges_in_vain_ || whole();
  if (is_of_another_) happened.push_back({now, event::StopRequested{"the object has changed on the server"}});
  if (ranges_in_vain_ && !is_of_another_)
    happened.push_back({now, event::StopRequested{fmt::format("ranges are of no use: {}", to_string(*failure_))}});
  if (whole()) happened.push_back({now, event::RestArrived{SegmentIndex{0}}});
  if (told_end_) return;
  std::optional<RestReport::Front> front;
  if (front_)
    front = {front_->position(), front_->running() && !front_->silent(told_), front_->meets_at(session_, told_)};
  if (const auto rest = report_.next(front, session_, received(), told_)) happened.push_back({now, *rest});
}

std::optional<TimePoint> PatientDownload::next_deadline() const {
  if (told_end_) return std::nullopt;
  return world_ + std::max(until_deadline(), Duration{});
}

void PatientDownload::on_event(const Event& event, TimePoint /*at*/) {
  if (const auto* rest = std::get_if<event::RestArrived>(&event)) known_ = *rest;
  if (const auto* bytes = std::get_if<event::BytesReceived>(&event)) {
    session_.stillest = std::max(session_.stillest, told_ - std::max(session_.since, session_.last_byte));
    session_.received += bytes->size;
    session_.last_byte = told_;
  }
  // A range that the origin refuses over another link may come over this one.
  const auto* failed = std::get_if<event::RequestFailed>(&event);
  if (failed == nullptr || failed->reason == FailureReason::kStalled || !may_be_for_the_range(failed->reason)) return;
  if (failed->reason != FailureReason::kServerBusy) failure_ = failed->reason;  // that will pass
  let_go_of_link();
}

void PatientDownload::on_action(const Action& action, TimePoint /*at*/) {
  if (std::holds_alternative<action::SendRequest>(action) && session_.since == TimePoint{}) session_.since = told_;
  const auto* start = std::get_if<action::StartSegment>(&action);
  if (start == nullptr) return;
  const ByteRange& chunk = options_.chunks[to_index(start->segment)];
  const DataSize left = known_.shared == start->segment ? known_.until : DataSize{};
  session_.begun = to_index(start->segment) + 1;
  session_.from = chunk.begin + left;
  session_.begins_no_more = left > DataSize{};
}

// ---- Links

void PatientDownload::hold(Holds what) {
  if (what <= holds_) return;
  holds_ = what;
  if (options_.let_go) options_.let_go();
}

void PatientDownload::let_go_of_link() {
  if (!front_ || let_go_) return;
  let_go_ = true;
  until_then_ = {front_->received(), front_->heard() - front_->began()};
  compare_at_ = told_ + kCompareEvery;
  here_before_ = state_.complete.size();
  received_before_ = received();
  hold(Holds::kNoLink);
}

void PatientDownload::hold_what_it_should() {
  if (!front_) return;
  const bool ends = !front_->running() || front_->hands_over(session_, options_.turnaround, told_);
  if (ends || front_->silent(told_)) return let_go_of_link();
  if (told_ >= front_->began() + patience_) hold(Holds::kItsLink);
}

std::optional<PatientDownload::Carried> PatientDownload::carried_alone() const {
  if (!front_ || !options_.holds_links) return std::nullopt;
  return let_go_ ? until_then_ : Carried{front_->received(), front_->heard() - front_->began()};
}

// ---- The answers

void PatientDownload::advance() {
  told_ = now();
  if (front_) front_->advance(session_, told_);
  hold_what_it_should();
  if (transport_) {
    transport_->advance(told_);
    take_events();
  }
  if (running() && told_ >= compare_at_) compare();
  if (state_.complete.size() > here_) {
    here_ = state_.complete.size();
    quiet_since_ = came_at_ = told_;
    failure_.reset();
  }
}

Duration PatientDownload::until_deadline() const {
  TimePoint deadline = running() ? compare_at_ : quiet_since_ + patience_;
  if (is_front_running()) {
    if (holds_ == Holds::kAllLinks) deadline = std::min(deadline, front_->began() + patience_);
    if (!let_go_) deadline = std::min(deadline, front_->silent_at());
  }
  if (transport_) deadline = std::min(deadline, transport_->next_deadline().value_or(deadline));
  return deadline - told_;
}

void PatientDownload::begin(TimePoint now) {
  const auto missing = state_.complete.gaps_in({DataSize{}, state_.size});
  transport::RangeRequest request = options_.asked;
  request.range = {missing.front().begin, state_.size};
  transport_ = options_.connect();
  transport_->submit(request, now);
  here_before_ = here_;
  received_before_ = received();
  behind_ = 0;
  compare_at_ = now + kCompareEvery;
}

void PatientDownload::take_events() {
  while (transport_) {
    const auto event = transport_->next_event();
    if (!event) return;
    take(*event);
  }
}

void PatientDownload::take(const transport::Event& event) {
  if (const auto* body = std::get_if<transport::BodyReceived>(&event)) {
    sink_.write(body->offset, body->bytes);
    received_ += size_of(body->bytes);
  } else if (!std::holds_alternative<transport::ResponseBegan>(event)) {
    const auto* failed = std::get_if<transport::RequestFailed>(&event);
    is_of_another_ = failed != nullptr && (failed->reason == FailureReason::kEntityChanged ||
                                           failed->reason == FailureReason::kVersionsDiffer);
    give_up();
  }
}

void PatientDownload::give_up() {
  if (front_) front_->end();
  transport_.reset();
  quiet_since_ = now();
  patience_ *= 2;
}

/// The session is seen to be ahead in what has become of the file: what both have brought is here once. While it has to
/// leave the link to the first answer, it proves nothing.
void PatientDownload::compare() {
  const DataSize all = state_.complete.size() - here_before_, own = received() - received_before_;
  rate_ = own / (told_ - compare_at_ + kCompareEvery);
  behind_ = holds_ == Holds::kNoLink && all > own + own ? behind_ + 1 : 0;
  here_before_ = state_.complete.size();
  received_before_ = received();
  compare_at_ = told_ + kCompareEvery;
  if (behind_ >= kMostBehind) give_up();
}

}  // namespace tributary
