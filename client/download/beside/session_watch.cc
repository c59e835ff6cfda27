#include "download/beside/session_watch.hh"

#include <algorithm>

#include "download/report/exit_status.hh"

namespace tributary {

bool SessionWatch::on_event(const Event& event, TimePoint now) {
  if (const auto* rest = std::get_if<event::RestArrived>(&event)) told_ = *rest;
  if (const auto* bytes = std::get_if<event::BytesReceived>(&event)) {
    seen_.stillest = std::max(seen_.stillest, now - std::max(seen_.since, seen_.last_byte));
    if (seen_.received == DataSize{}) seen_.first_byte = now;
    seen_.received += bytes->size;
    seen_.last_byte = now;
  }
  const auto* failed = std::get_if<event::RequestFailed>(&event);
  if (failed == nullptr || failed->reason == FailureReason::kStalled || !may_be_for_the_range(failed->reason))
    return false;
  if (failed->reason != FailureReason::kServerBusy) failure_ = failed->reason;  // that will pass
  return true;
}

void SessionWatch::on_action(const Action& action, TimePoint now) {
  if (std::holds_alternative<action::SendRequest>(action) && seen_.since == TimePoint{}) seen_.since = now;
  const auto* start = std::get_if<action::StartSegment>(&action);
  if (start == nullptr) return;
  const ByteRange& chunk = chunks_[to_index(start->segment)];
  const DataSize left = told_.shared == start->segment ? told_.until : DataSize{};
  seen_.begun = to_index(start->segment) + 1;
  seen_.from = chunk.begin + left;
  seen_.begins_no_more = left > DataSize{};
}

}  // namespace tributary
