#include "core/requests/failed_requests.hh"

#include <fmt/format.h>

#include <algorithm>

#include "core/session_state.hh"

namespace tributary {
namespace {

constexpr DataSize kLeastAnswer{1'000};
constexpr std::size_t kMostLeftOut = 3;  // of live segments in a row; an origin without more of them is none

/// Live: a segment that was published just now, by its manifest or its clock, may still be on its way to this server.
/// Where the clock publishes, the title may have ended before it.
bool may_come_yet(SegmentIndex segment, const SessionState& s) {
  const auto age = s.timeline.age(segment, s.now);
  return age && *age < (s.timeline.table().complete() ? 1 : 3) * s.timeline.table().duration(segment);
}

/// Until a segment that is not there yet is asked for again.
Duration pause_before_next_look(SegmentIndex segment, const SessionState& s) {
  return std::clamp<Duration>(s.timeline.table().duration(segment) / 8, std::chrono::milliseconds{50},
                              std::chrono::milliseconds{500});
}

void avoid_link(LinkId id, std::optional<Duration> how_long, const std::string& why, SessionState& s) {
  Link& link = s.links.at(id);
  if (!link.usable(s.now)) return;
  if (how_long) {
    link.avoided_until = s.now + *how_long;
  } else {
    link.avoided_for_good = true;
  }
  s.actions.push(action::AvoidLink{id, link.avoided_until, why});
}

}  // namespace

std::optional<std::string> FailedRequests::handle(const event::RequestFailed& e, SessionState& s) {
  const OutstandingRequest* found = s.book.find(e.request);
  if (found == nullptr) return std::nullopt;
  const OutstandingRequest request = *found;
  s.book.remove(e.request);
  s.spending.costs.not_received(request.link, request.left().size());
  Link& link = s.links.at(request.link);
  link.estimator->request_failed(s.now);
  // A lost connection fails all that the link owes at the same moment: that is one failure.
  const bool not_found_live =
      e.reason == FailureReason::kNotFound && s.timeline.age(request.segment, s.now).has_value();
  // That a live segment is not there says nothing about the link.
  if (link.usable(s.now) && e.reason != FailureReason::kAbandoned && !not_found_live) ++link.failures_in_a_row;
  // The beginning of a part that has to come in one answer is of no use. A few bytes of a range hardly are: an origin
  // that gives one byte at a time would be asked for each.
  const DataSize worth_asking = std::min(kLeastAnswer, DataSize{request.range.size().bytes() / 8});
  const bool brought_bytes = request.received > DataSize{} && request.received >= worth_asking && !s.book.whole_parts();
  RetryDecision decision = policy_.decide(e.reason, link.failures_in_a_row, brought_bytes, e.retry_after);
  if (not_found_live) {
    decision.wrong_answer = !may_come_yet(request.segment, s);
    decision.avoid_link_for = pause_before_next_look(request.segment, s);
  }
  return apply(decision, request, e, s);
}

std::optional<std::string> FailedRequests::apply(const RetryDecision& decision, const OutstandingRequest& request,
                                                 const event::RequestFailed& failure, SessionState& s) {
  const std::string why =
      fmt::format("{}{}{}", to_string(failure.reason), failure.detail.empty() ? "" : ": ", failure.detail);
  if (failure.reason != FailureReason::kLinkDown && failure.reason != FailureReason::kAbandoned)
    last_ = fmt::format("; the last failure: over {}: {}", s.links.at(request.link).name, why);
  if (failure.reason == FailureReason::kNotFound && s.timeline.left_window(request.segment)) {
    if (!request.abandoned && s.book.give_up(request.segment))
      s.actions.push(action::SkipSegment{request.segment, s.timeline.age(request.segment, s.now).value_or(Duration{}),
                                         fmt::format("it left the origin's window before it was complete: {}", why)});
    return std::nullopt;
  }
  if (!request.abandoned) {
    auto end = want_again(decision, request, why, s);
    const bool goes_on = failure.reason == FailureReason::kNotFound || s.options.mode == StreamingMode::kDemanded;
    if (end && !(goes_on && leave_out(request, why, s))) return end;
  }
  if (decision.avoid_link_for_good) avoid_link(request.link, std::nullopt, why, s);
  if (decision.avoid_link_for) avoid_link(request.link, decision.avoid_link_for, why, s);
  if (s.links.all_avoided_for_good()) return fmt::format("no link can be used: {}", why);
  return std::nullopt;
}

/// Live: goes on behind a segment that the origin does not have, unless it lacks one after the other. Demanded: the
/// player is told.
bool FailedRequests::leave_out(const OutstandingRequest& request, const std::string& why, SessionState& s) {
  if (s.options.mode == StreamingMode::kDemanded) {
    s.demand.end(request.segment);
    if (s.book.give_up(request.segment)) s.actions.push(action::SkipSegment{request.segment, {}, why});
    return true;
  }
  const auto age = s.timeline.age(request.segment, s.now);
  if (!age) return false;
  if (request.segment != next(last_left_out_)) left_out_ = 0;
  if (left_out_ == kMostLeftOut || !s.book.give_up(request.segment)) return false;
  ++left_out_;
  last_left_out_ = request.segment;
  s.actions.push(action::SkipSegment{request.segment, *age, "the origin does not have it: " + why});
  return true;
}

/// Missing bytes of the request, unless it was answered wrongly too often.
std::optional<std::string> FailedRequests::want_again(const RetryDecision& decision, const OutstandingRequest& request,
                                                      const std::string& why, SessionState& s) const {
  const std::uint32_t wrong_answers = request.wrong_answers + (decision.wrong_answer ? 1 : 0);
  if (policy_.too_many_wrong_answers(wrong_answers)) {
    return fmt::format("segment {}, part {}, bytes {}-{} over {}: {} (tried {} times)", to_index(request.segment),
                       request.part, request.range.begin.bytes(), request.range.end.bytes() - 1,
                       s.links.at(request.link).name, why, wrong_answers);
  }
  if (decision.whole_parts) s.book.ask_for_whole_parts();
  s.book.want_again(request, wrong_answers);
  return std::nullopt;
}

}  // namespace tributary
