#include "core/next_deadline.hh"

#include <algorithm>

#include "core/scheduling/request_round.hh"
#include "core/session_state.hh"

namespace tributary {

std::optional<TimePoint> next_deadline(const SessionState& s, const RequestRound& round) {
  TimePoint look_again = round.looks_again() ? s.now + Scheduler::kLookAgain : TimePoint::max();
  if (Lowering::may_lower(s))
    look_again = std::min(look_again, std::max(s.lowering.rests_until(), s.now + Duration{1}));
  if (LatencyControl::steers(s))
    look_again = std::min(look_again, std::max(s.latency.rests_until(), s.now + Duration{1}));
  const TimePoint renewal = s.book.outstanding().empty() ? TimePoint::max() : s.wait.renewal();
  const TimePoint give_up = s.wait.since() + s.options.give_up_after;
  TimePoint earliest = std::min({round.scheduler().quiet_until(), give_up, renewal, look_again});
  if (earliest > s.now) return earliest;
  earliest = look_again;
  const auto consider = [&](TimePoint t) {
    if (t > s.now) earliest = std::min(earliest, t);
  };
  if (const auto due = s.playout.buffer().next_due()) {
    consider(*due - PartialPlay::lead(s));
    consider(*due);
  }
  if (const auto back = s.links.next_return(s.now)) consider(*back);
  if (s.wants_bytes()) consider(give_up);
  consider(renewal);
  if (earliest == TimePoint::max()) return std::nullopt;
  return earliest;
}

}  // namespace tributary
