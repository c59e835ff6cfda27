#include "needless_stalls.hh"

#include <fmt/format.h>

#include <algorithm>

#include "core/subsegments/balanced_subsegments.hh"

namespace tributary::testing {
namespace {

using namespace std::chrono_literals;

constexpr double kShareOfRate = 0.75;
constexpr DataSize kSmallestJudged{10'000};  // with less, links wait most of the time, and are never measured
constexpr double kShareByNumber = 0.5;       // where requests are counted: many small ones may be lost one by one

/// Of requests of the plan's size, so many at a time as it allows.
DataRate rate_of_requests(const SessionOptions& options, const LinkPhase& link) {
  const bool balanced = options.subsegments == SubsegmentApproach::kBalanced;
  const DataSize size = balanced ? balanced_request(options.subsegment_size) : options.subsegment_size;
  const std::uint32_t depth = balanced ? 1 : options.depth;  // the next is asked for when half of it is here
  const double seconds = to_seconds(size / link.rate) + to_seconds(link.rtt);
  return std::min(link.rate, DataRate::bits_per_second(8.0 * depth * static_cast<double>(size.bytes()) / seconds));
}

Duration time_to_find_out(const FaultPlan& plan) {
  Duration sum{};
  for (std::uint32_t link = 0; link < plan.links.size(); ++link) {
    if (link == plan.survivor) continue;
    Duration longest{};
    for (const LinkPhase& phase : plan.links[link]) longest = std::max(longest, phase.rtt);
    sum += std::max<Duration>(500ms, 2 * longest) + 1s;
  }
  return sum;
}

}  // namespace

NeedlessStalls::NeedlessStalls(const FaultPlan& plan, const Session& session, const SessionAudit& audit)
    : session_{session}, audit_{audit} {
  const bool whole_files = std::ranges::any_of(plan.faults, [](const FaultWindow& window) {
    return window.fault == ServerFault::kRefuseRange || window.fault == ServerFault::kOtherTag;
  });
  applies_ = plan.survivor && plan.options.mode == StreamingMode::kOnDemand &&
             plan.options.subsegment_size >= kSmallestJudged && !whole_files;
  if (!applies_) return;
  survivor_ = static_cast<LinkId>(*plan.survivor);
  const LinkPhase& link = plan.links[*plan.survivor].front();
  const double share = plan.options.subsegments == SubsegmentApproach::kBalanced ? kShareOfRate : kShareByNumber;
  rate_ = DataRate::bits_per_second(share * rate_of_requests(plan.options, link).bits_per_second());
  allowance_ = time_to_find_out(plan) + 3 * link.rtt;
}

void NeedlessStalls::look(TimePoint now) {
  const auto next_due = session_.playout().next_due();
  if (!applies_ || !next_due) return;
  TimePoint due = *next_due + session_.playout().buffered();
  const auto missing = audit_.missing();
  DataSize bytes;  // to be brought by the survivor before the segment is complete, if nobody helps
  for (const OutstandingRequest& request : session_.outstanding().all()) {
    const bool counted =
        !request.abandoned && std::ranges::any_of(missing, [&](const auto& m) { return m.first == request.segment; });
    if (request.link == survivor_ && (!counted || request.takes_over)) bytes += request.left().size();
  }
  for (const auto& [segment, size] : missing) {
    bytes += size;
    const Duration takes = bytes / rate_ + allowance_;
    if (now + takes <= due) must_not_stall_.try_emplace(segment, Promise{now, due, takes});
    due += session_.table().duration(segment);
  }
}

std::optional<std::string> NeedlessStalls::complaint(const action::PlaySegment& played) const {
  const auto promise = must_not_stall_.find(played.segment);
  if (played.miss <= Duration::zero() || promise == must_not_stall_.end()) return std::nullopt;
  const auto& [made, due, takes] = promise->second;
  return fmt::format(
      "segment {} stalls for {:.3f} s: at {:.3f} s it was due in {:.3f} s, and link {} alone needs {:.3f} s",
      to_index(played.segment), to_seconds(played.miss), to_seconds(made), to_seconds(due - made), to_index(survivor_),
      to_seconds(takes));
}

}  // namespace tributary::testing
