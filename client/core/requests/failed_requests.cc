#include "core/requests/failed_requests.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/requests/missing_parts.hh"
#include "core/scheduling/segment_start.hh"
#include "core/session_state.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

constexpr DataSize kLeastAnswer{1'000};
constexpr std::size_t kMostLeftOut = 3;  // segments in a row; an origin without more of them is none

/// Live: a segment that was published just now, by its manifest or its clock, may still be on its way to this server.
/// Where the clock publishes, the title may have ended before it.
bool may_come_yet(SegmentIndex segment, const SessionState& s) {
  const auto age = s.timeline.age(segment, s.now);
  // A partial segment is no later than a whole one would be.
  const Duration segment_lasts = std::max(s.timeline.table().duration(segment), s.options.latency);
  return age && *age < (s.timeline.table().complete() ? 1 : 3) * segment_lasts;
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

/// The part ends at the latest where the request begins: all before is here, or nobody wants more of the part.
bool ends_before(const OutstandingRequest& request, SessionState& s) {
  const SegmentAssembly* segment = request.abandoned ? nullptr : s.book.find_segment(request.segment);
  return segment == nullptr || segment->size_is_known(request.part) ||
         segment->has_all_before(request.part, request.range.begin);
}

void give_up(SegmentIndex segment, Duration lag, std::string reason, std::string missing, SessionState& s) {
  s.book.give_up(segment);
  s.actions.push(action::SkipSegment{segment, lag, std::move(reason), std::move(missing)});
  const SegmentTable& table = s.timeline.table();
  SegmentIndex last = segment;
  while (next(last) < s.timeline.next_segment() && table.continues(next(last))) {
    last = next(last);
    if (s.book.give_up(last))
      s.actions.push(action::SkipSegment{last, lag, "it continues a segment that is not there"});
  }
  if (next(last) == s.timeline.next_segment()) s.timeline.give_up(last, s.now, s.actions);
  bring_lost_init_parts(s);
}

/// Demanded: the player is told that the file does not come.
bool tell_player(SegmentIndex segment, const std::string& why, SessionState& s) {
  s.demand.end(segment);
  if (s.book.give_up(segment)) s.actions.push(action::SkipSegment{segment, {}, why});
  return true;
}

/// Behind a segment that the origin does not have: where it plays, and in a title that is downloaded. Of a file, no part can
/// be missing.
bool goes_on_without_segments(const SessionOptions& options) { return plays(options.mode) || options.in_order; }

std::string text_of(const event::RequestFailed& failure) {
  return fmt::format("{}{}{}", to_string(failure.reason), failure.detail.empty() ? "" : ": ", failure.detail);
}

bool nothing_to_play(const SessionState& s) {
  if (!plays(s.options.mode)) return s.missing.given_up() + 1 >= s.timeline.table().segment_count();
  return s.playout.segments_played() == 0 && s.playout.buffer().buffered_segments() == 0;
}

}  // namespace

std::optional<action::Finish> FailedRequests::handle(const event::RequestFailed& e, SessionState& s) {
  const OutstandingRequest* found = s.book.find(e.request);
  if (found == nullptr) return std::nullopt;
  s.spending.costs.not_received(found->link, found->left().size());
  if (e.beyond_end && ends_before(*found, s)) {
    s.learn_size(*found, found->range.begin);
    s.book.remove(e.request);
    return std::nullopt;
  }
  const OutstandingRequest request = *found;
  s.book.remove(e.request);
  Link& link = s.links.at(request.link);
  link.estimator->request_failed(s.now);
  // A lost connection fails all that the link owes at the same moment: that is one failure.
  const bool not_found_live =
      e.reason == FailureReason::kNotFound && s.timeline.age(request.segment, s.now).has_value();
  // That a segment is not there says nothing about the link.
  const bool not_found = e.reason == FailureReason::kNotFound && goes_on_without_segments(s.options);
  if (link.usable(s.now) && e.reason != FailureReason::kAbandoned && !not_found) ++link.failures_in_a_row;
  // The beginning of a part that has to come in one answer is of no use. A few bytes of a range hardly are: an origin
  // that gives one byte at a time would be asked for each.
  const DataSize worth_asking = std::min(kLeastAnswer, DataSize{request.range.size().bytes() / 8});
  const SegmentAssembly* const segment = s.book.find_segment(request.segment);
  const bool comes_whole = segment != nullptr ? segment->comes_whole() : s.book.whole_parts();
  const bool brought_bytes = request.received > DataSize{} && request.received >= worth_asking && !comes_whole;
  RetryDecision decision = policy_.decide(e.reason, link.failures_in_a_row, brought_bytes, e.retry_after);
  // A server that refuses further connections says nothing about the range.
  const bool says_of_connection = is_lane(request.link) && link.carried == DataSize{};
  if (says_of_connection) decision.wrong_answer = decision.whole_parts = false;
  const bool comes_yet = not_found_live && may_come_yet(request.segment, s);
  if (not_found_live) {
    decision.wrong_answer = !comes_yet || request.wrong_answers == 0;  // the first counts: others are no news
    decision.avoid_link_for = pause_before_next_look(request.segment, s);
  }
  const auto other = not_found ? look_for_other_quality(request, text_of(e), comes_yet, s) : OtherQuality::kNone;
  if (other == OtherQuality::kNoneYet) avoid_link(request.link, decision.avoid_link_for, text_of(e), s);
  if (other != OtherQuality::kNone) return std::nullopt;
  return apply(decision, request, e, s);
}

std::optional<action::Finish> FailedRequests::apply(const RetryDecision& decision, const OutstandingRequest& request,
                                                    const event::RequestFailed& failure, SessionState& s) {
  const std::string why = text_of(failure);
  if (failure.reason != FailureReason::kLinkDown && failure.reason != FailureReason::kAbandoned)
    last_ = fmt::format("; the last failure: over {}: {}", s.links.at(request.link).name, why);
  if (failure.reason == FailureReason::kNotFound && s.timeline.left_window(request.segment)) {
    if (!request.abandoned && s.book.find_segment(request.segment) != nullptr)
      give_up(request.segment, s.timeline.age(request.segment, s.now).value_or(Duration{}),
              fmt::format("it left the origin's window before it was complete: {}", why), "", s);
    return std::nullopt;
  }
  const bool is_wanted = !request.abandoned && s.book.find_segment(request.segment) != nullptr;
  if (is_wanted) {
    if (auto end = go_on(decision, request, failure.reason, why, s)) return end;
  }
  if (decision.avoid_link_for_good) avoid_link(request.link, std::nullopt, why, s);
  if (decision.avoid_link_for) avoid_link(request.link, decision.avoid_link_for, why, s);
  if (s.links.all_avoided_for_good()) return action::Finish{false, fmt::format("no link can be used: {}", why)};
  return std::nullopt;
}

/// Missing bytes of the request are wanted again, unless it was answered wrongly too often.
std::optional<action::Finish> FailedRequests::go_on(const RetryDecision& decision, const OutstandingRequest& request,
                                                    FailureReason reason, const std::string& why, SessionState& s) {
  const std::uint32_t wrong_answers = request.wrong_answers + (decision.wrong_answer ? 1 : 0);
  if (policy_.is_better_asked_for_elsewhere(reason, wrong_answers) && ask_for_another_quality(request, why, false, s))
    return std::nullopt;
  if (!policy_.too_many_wrong_answers(wrong_answers)) {
    if (decision.whole_parts) s.book.ask_for_whole_parts();
    s.book.want_again(request, wrong_answers);
    return std::nullopt;
  }
  const SegmentAssembly& segment = *s.book.find_segment(request.segment);
  const std::string file = redacted(s.part_of(segment, request.part).resource.uri);
  const bool said_no = RetryPolicy::says_no(reason);
  if (s.options.mode == StreamingMode::kDemanded ? tell_player(request.segment, why, s)
                                                 : said_no && leave_out(request, file, why, s))
    return std::nullopt;
  return action::Finish{
      .reason = fmt::format("segment {}, part {} ({}), bytes {}-{} over {}: {} (tried {} times)",
                            to_index(request.segment), request.part, file, request.range.begin.bytes(),
                            request.range.end.bytes() - 1, s.links.at(request.link).name, why, wrong_answers),
      .missing = said_no ? file : ""};
}

/// Goes on behind a segment that the origin does not have, unless it lacks one after the other, or all.
bool FailedRequests::leave_out(const OutstandingRequest& request, const std::string& missing, const std::string& why,
                               SessionState& s) {
  if (!goes_on_without_segments(s.options)) return false;
  if (goes_on_without_sound(request, missing + ": " + why, left_out_sounds_, s)) return true;
  if (request.segment != next(last_left_out_)) left_out_ = 0;
  const bool is_last = s.timeline.all_started() && s.book.segments().size() == 1;
  if (left_out_ == kMostLeftOut || (is_last && nothing_to_play(s))) return false;
  ++left_out_;
  last_left_out_ = request.segment;
  s.missing.give_up(request.segment);
  give_up(request.segment, s.timeline.age(request.segment, s.now).value_or(Duration{}),
          "the origin does not have it: " + why, missing, s);
  return true;
}

}  // namespace tributary
