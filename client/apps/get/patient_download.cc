#include "apps/get/patient_download.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kCompareAfter = 1s;
constexpr int kMostBehind = 2;

}  // namespace

transport::OriginPace endless_patience() {
  transport::OriginPace pace;
  pace.went_on_after(std::chrono::hours{24});
  return pace;
}

PatientDownload::PatientDownload(ChunkSink& sink, const DownloadState& state, transport::RangeRequest asked,
                                 Duration turnaround, Connect connect)
    : sink_{sink},
      state_{state},
      asked_{std::move(asked)},
      connect_{std::move(connect)},
      patience_{patience(turnaround)},
      here_{state.complete.size()} {}

void PatientDownload::take_over(EarlyAnswer& early) {
  const auto first = early.take_event();
  transport_ = early.take_transport();
  start_ = early.start();
  told_ = quiet_since_ = now();
  compare_at_ = told_ + kCompareAfter;
  if (first) take(*first);
}

TimePoint PatientDownload::now() const {
  return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

void PatientDownload::advance(TimePoint now, std::deque<TimedEvent>& happened) {
  world_ = now;
  advance();
  if (!transport_ && !whole() && !is_of_another_ && told_ >= quiet_since_ + patience_) begin(told_);
  if ((!whole() && !is_of_another_) || std::exchange(told_end_, true)) return;
  happened.push_back(
      {now, event::StopRequested{whole() ? "the object is whole" : "the answers are of different objects"}});
}

std::optional<TimePoint> PatientDownload::next_deadline() const {
  if (whole() || is_of_another_) return std::nullopt;
  return world_ + std::max(until_deadline(), Duration{});
}

Duration PatientDownload::until_deadline() const {
  if (!transport_) return quiet_since_ + patience_ - told_;
  return std::min(transport_->next_deadline().value_or(compare_at_), compare_at_) - told_;
}

void PatientDownload::advance() {
  told_ = now();
  if (transport_) {
    transport_->advance(told_);
    take_events();
  }
  if (transport_ && told_ >= compare_at_) compare(told_);
  if (state_.complete.size() > here_) {
    here_ = state_.complete.size();
    quiet_since_ = told_;
  }
}

void PatientDownload::begin(TimePoint now) {
  const auto missing = state_.complete.gaps_in({DataSize{}, state_.size});
  transport::RangeRequest request = asked_;
  request.range = {missing.front().begin, state_.size};
  transport_ = connect_();
  transport_->submit(request, now);
  here_before_ = here_;
  received_before_ = received_;
  behind_ = 0;
  compare_at_ = now + kCompareAfter;
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
  transport_.reset();
  quiet_since_ = now();
  patience_ *= 2;
}

/// The session is seen to be ahead in what has become of the file: what both have brought is here once.
void PatientDownload::compare(TimePoint now) {
  const DataSize all = state_.complete.size() - here_before_, own = received_ - received_before_;
  behind_ = all > own + own ? behind_ + 1 : 0;
  here_before_ = state_.complete.size();
  received_before_ = received_;
  compare_at_ = now + kCompareAfter;
  if (behind_ >= kMostBehind) give_up();
}

}  // namespace tributary
