#include "playback/status/stall_reason.hh"

#include <algorithm>
#include <ranges>

#include "playback/status/link_activity.hh"
#include "report/miss_remedy.hh"
#include "units/overloaded.hh"

namespace tributary {
namespace {

using Cause = StallReason::Cause;

/// A link that brings less than this part of what it was expected to is called slow.
constexpr double kSlow = 0.7;

/// It is there, and answers.
bool works(LinkId id, const Link& link, const OutstandingRequests& outstanding, TimePoint now) {
  if (!link.usable(now)) return false;
  const OutstandingRequest* const head = outstanding.head(id);
  if (link.failures_in_a_row > 0 && (head == nullptr || head->received == DataSize{})) return false;
  return head == nullptr || !is_silent(link, *head, std::nullopt, now);
}

void explain(StallReason& reason, const SessionRecord& record, const RangeHistory& waited_for) {
  const RequestRecord& first = waited_for.first();
  const RequestRecord& last = waited_for.last();
  reason.link = record.links().at(first.link).name;
  if (&first != &last) {
    reason.cause = first.status == to_string(FailureReason::kLinkDown) ? Cause::kLinkLost : Cause::kLinkFailed;
    return;
  }
  const Duration time = *first.last_byte - first.sent;
  if (time <= Duration{}) return;
  reason.rate = (first.behind + first.range.size()) / time;
  reason.expected = first.estimate;
  if (reason.expected && *reason.rate < kSlow * *reason.expected) reason.cause = Cause::kLinkSlow;
}

void add_remedy(StallReason& reason, const Remedy& remedy, const SessionRecord& record) {
  using enum StallReason::Remedy;
  std::visit(Overloaded{
                 [&](const remedy::OtherLink& r) {
                   reason.remedy = kOtherLink;
                   reason.other_link = record.links().at(r.link).name;
                 },
                 [&](const remedy::LowerQuality& r) {
                   reason.remedy = kLowerQuality;
                   reason.quality = r.quality;
                 },
                 [](const remedy::MoreBuffer&) {},
                 [&](const remedy::None&) { reason.remedy = kNothing; },
             },
             remedy);
}

}  // namespace

StallReason reason_of_stall(const Session& session, DataRate rate_now, TimePoint now) {
  StallReason reason;
  const OutstandingRequests& outstanding = session.outstanding();
  const auto works_now = [&](LinkId id) { return works(id, session.links().at(id), outstanding, now); };
  if (std::ranges::none_of(session.links().all(), [&](const auto& entry) { return works_now(entry.first); })) {
    reason.cause = Cause::kNoLink;
    const auto used_up =
        std::ranges::find_if(session.links().all(), [](const auto& entry) { return entry.second.used_up; });
    if (used_up == session.links().all().end()) return reason;
    reason.cause = Cause::kUsedUp;
    reason.link = used_up->second.name;
    return reason;
  }
  const auto is_wanted = [](const OutstandingRequest& request) { return !request.abandoned; };
  const auto first = std::ranges::find_if(outstanding.all(), is_wanted);
  if (first == outstanding.all().end()) {
    reason.cause = Cause::kNotPublished;
    return reason;
  }
  for (const OutstandingRequest& request : outstanding.all() | std::views::filter(is_wanted)) {
    if (request.segment != first->segment || works_now(request.link)) continue;
    reason.cause = Cause::kLinkSilent;
    reason.link = session.links().at(request.link).name;
    return reason;
  }
  reason.cause = Cause::kLinksTooSlow;
  reason.rate = rate_now;
  return reason;
}

std::optional<StallReason> reason_of_stall(const SessionRecord& record, const SessionOptions& options,
                                           SegmentIndex late) {
  const auto found = record.segments().find(late);
  if (found == record.segments().end()) return std::nullopt;
  const SegmentRecord& segment = found->second;
  if (!segment.requested || !segment.complete || !segment.due || segment.miss <= Duration{}) return std::nullopt;
  const std::vector<RangeHistory> ranges = ranges_of(record, late);
  const auto ranges_late = late_ranges(ranges, *segment.due);
  StallReason reason;
  if (*segment.requested >= *segment.due) {
    reason.cause = segment.published ? Cause::kNotPublished : Cause::kNoLink;
    return reason;
  }
  if (!ranges_late.empty()) explain(reason, record, ranges_late.back());
  if (reason.cause == Cause::kUnknown) {
    reason.cause = Cause::kLinksTooSlow;
    const Duration time = *segment.complete - *segment.requested;
    if (time > Duration{}) reason.rate = segment.received / time;
  }
  add_remedy(reason, find_remedy(record, LinkService{record}, options, segment, ranges), record);
  return reason;
}

}  // namespace tributary
