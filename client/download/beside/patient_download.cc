#include "download/beside/patient_download.hh"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tributary {

PatientDownload::PatientDownload(ChunkSink& sink, const DownloadState& state, Options options)
    : chunks_{std::move(options.chunks)},
      may_be_had_whole_{options.may_be_had_whole},
      answers_{sink, state, std::move(options.answers), own_time()},
      session_{chunks_, state.size},
      report_{chunks_, state} {}

TimePoint PatientDownload::own_time() const {
  return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

void PatientDownload::advance() {
  now_ = own_time();
  if (answers_.advance(session_.seen(), now_)) session_.something_came();
}

void PatientDownload::advance(TimePoint now, std::deque<TimedEvent>& happened) {
  world_ = now;
  advance();
  answers_.ask_if_silent(now_);
  if (may_be_had_whole_ && answers_.is_silent_for_good(now_)) in_vain_ = session_.failure();
  tell(now, happened);
}

void PatientDownload::tell(TimePoint now, std::deque<TimedEvent>& happened) {
  if (told_end_) return;
  const bool is_of_another = answers_.is_of_another(), whole = answers_.whole();
  told_end_ = is_of_another || in_vain_ || whole;
  if (is_of_another) happened.push_back({now, event::StopRequested{"the object has changed on the server"}});
  if (in_vain_ && !is_of_another)
    happened.push_back({now, event::StopRequested{fmt::format("ranges are of no use: {}", to_string(*in_vain_))}});
  if (whole) happened.push_back({now, event::RestArrived{SegmentIndex{0}}});
  if (told_end_) return;
  const SessionSeen& session = session_.seen();
  if (const auto rest = report_.next(answers_.front(session, now_), session, answers_.received(), now_))
    happened.push_back({now, *rest});
}

std::optional<TimePoint> PatientDownload::next_deadline() const {
  if (told_end_) return std::nullopt;
  return world_ + std::max(until_deadline(), Duration{});
}

void PatientDownload::on_event(const Event& event, TimePoint /*at*/) {
  if (session_.on_event(event, now_)) answers_.let_go_of_link(now_);
}

void PatientDownload::on_action(const Action& action, TimePoint /*at*/) { session_.on_action(action, now_); }

}  // namespace tributary
