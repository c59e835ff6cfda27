// What the session does about requests that failed.

#include "core/session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tributary {

/// A segment that was being received cannot be completed any more. Its quality needs its init parts again: it is not known
/// whether they had come.
void Session::give_up(SegmentIndex segment, const std::string& why) {
  const auto found = std::ranges::find(assembling_, segment, &SegmentAssembly::segment);
  if (found == assembling_.end()) return;
  initialised_[to_index(found->quality())].reset();
  assembling_.erase(found);
  actions_.push_back(action::SkipSegment{segment, now_ - published_at_[to_index(segment)],
                                         fmt::format("it left the origin's window before it was complete: {}", why)});
}

/// What the request still owed is wanted again, apart from what other links were asked for as well: that is waited for.
void Session::give_back(SegmentAssembly& segment, const OutstandingRequest& failed, std::uint32_t wrong_answers) {
  outstanding_.has_no_end(failed);
  duplicated_ -= failed.left().size();
  for (const ByteRange& owed : outstanding_.asked_for(failed.segment, failed.part).gaps_in(failed.left())) {
    duplicated_ += owed.size();
    segment.give_back({failed.part, owed, failed.link, wrong_answers});
  }
}

void Session::apply(const RetryDecision& decision, const OutstandingRequest& request,
                    const event::RequestFailed& failure) {
  const std::string why =
      fmt::format("{}{}{}", to_string(failure.reason), failure.detail.empty() ? "" : ": ", failure.detail);
  if (failure.reason != FailureReason::kLinkDown && failure.reason != FailureReason::kAbandoned)
    last_failure_ = fmt::format("; the last failure: over {}: {}", links_.at(request.link).name, why);
  if (failure.reason == FailureReason::kNotFound && request.segment < window_begin_) {
    if (!request.abandoned) give_up(request.segment, why);
    return;
  }
  if (!request.abandoned) want_again(decision, request, why);
  if (finished_) return;
  if (decision.avoid_link_for_good) avoid_link(request.link, std::nullopt, why);
  if (decision.avoid_link_for) avoid_link(request.link, decision.avoid_link_for, why);
  if (links_.all_avoided_for_good()) finish(false, fmt::format("no link can be used: {}", why));
}

/// What the request did not bring, unless it was answered wrongly too often.
void Session::want_again(const RetryDecision& decision, const OutstandingRequest& request, const std::string& why) {
  const std::uint32_t wrong_answers = request.wrong_answers + (decision.wrong_answer ? 1 : 0);
  if (retry_policy_.too_many_wrong_answers(wrong_answers)) {
    return finish(false, fmt::format("segment {}, part {}, bytes {}-{} over {}: {} (tried {} times)",
                                     to_index(request.segment), request.part, request.range.begin.bytes(),
                                     request.range.end.bytes() - 1, links_.at(request.link).name, why, wrong_answers));
  }
  whole_parts_ = whole_parts_ || decision.whole_parts;
  SegmentAssembly* segment = find_segment(request.segment);
  if (segment == nullptr) return;
  if (!whole_parts_) return give_back(*segment, request, wrong_answers);
  if (whole_part_outstanding(*segment, request.part)) return;
  for (const OutstandingRequest& other : outstanding_.all()) {
    if (other.segment == request.segment && other.part == request.part) outstanding_.abandon(other.id);
  }
  segment->restart_part(request.part, request.link, wrong_answers);
}

void Session::avoid_link(LinkId id, std::optional<Duration> how_long, const std::string& why) {
  Link& link = links_.at(id);
  if (!link.usable(now_)) return;
  if (how_long) {
    link.avoided_until = now_ + *how_long;
  } else {
    link.avoided_for_good = true;
  }
  actions_.push_back(action::AvoidLink{id, link.avoided_until, why});
}

}  // namespace tributary
