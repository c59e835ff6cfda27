#include "download/beside/answers_beside.hh"

#include <algorithm>
#include <utility>

namespace tributary {

AnswersBeside::AnswersBeside(ChunkSink& sink, const DownloadState& state, Options options, TimePoint now)
    : state_{state},
      silence_{Silence::patience(options.turnaround), state.complete.size()},
      hold_{{.at_first = options.holds,
             .patience = Silence::patience(options.turnaround),
             .turnaround = options.turnaround,
             .may_share = options.may_share,
             .let_go = std::move(options.let_go)}},
      later_{sink, std::move(options.asked), std::move(options.connect)} {
  if (options.front)
    front_.emplace(std::move(options.front), options.brings, sink, state, Silence::patience(options.turnaround), now);
}

bool AnswersBeside::advance(const SessionSeen& session, TimePoint now) {
  if (front_) {
    front_->advance(session, now);
    if (hold_.advance(*front_, session, now)) comparison_.begin_second(sizes(), now);
  }
  if (later_.advance(now)) silence_.answer_failed(now);
  const bool proves = holds() == LinkHold::Holds::kNoLink;
  if (running() && now >= comparison_.due_at() && comparison_.compare(sizes(), proves, now)) give_up(now);
  return silence_.note(state_.complete.size(), now);
}

TimePoint AnswersBeside::next_deadline() const {
  TimePoint deadline = running() ? comparison_.due_at() : silence_.borne_until();
  if (is_front_running()) deadline = std::min(deadline, hold_.next_deadline(*front_).value_or(deadline));
  return std::min(deadline, later_.next_deadline().value_or(deadline));
}

void AnswersBeside::ask_if_silent(TimePoint now) {
  if (running() || whole() || is_of_another() || now < silence_.borne_until()) return;
  const auto missing = state_.complete.gaps_in({DataSize{}, state_.size});
  later_.begin({missing.front().begin, state_.size}, now);
  comparison_.begin_anew(sizes(), now);
}

void AnswersBeside::let_go_of_link(TimePoint now) {
  if (front_ && hold_.let_go(*front_)) comparison_.begin_second(sizes(), now);
}

void AnswersBeside::give_up(TimePoint now) {
  if (front_) front_->end();
  later_.give_up();
  silence_.answer_failed(now);
}

std::optional<LinkHold::Carried> AnswersBeside::carried_alone() const {
  return front_ ? hold_.carried_alone(*front_) : std::nullopt;
}

std::optional<RestReport::Front> AnswersBeside::front(const SessionSeen& session, TimePoint now) const {
  if (!front_) return std::nullopt;
  return RestReport::Front{front_->position(), front_->running() && !front_->silent(now),
                           front_->meets_at(session, now)};
}

}  // namespace tributary
