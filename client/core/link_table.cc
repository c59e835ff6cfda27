#include "core/link_table.hh"

#include <algorithm>

namespace tributary {

void LinkTable::up(LinkId id, const std::string& name, LinkUse use) {
  Link& link = links_[id];
  if (!link.estimator) link.estimator = make_estimator(approach_);
  link.name = name;
  link.use = use;
  link.up = true;
  link.avoided_until.reset();
  link.failures_in_a_row = 0;
}

std::optional<TimePoint> LinkTable::next_return(TimePoint now) const {
  std::optional<TimePoint> earliest;
  for (const auto& [id, link] : links_) {
    if (!link.up || link.avoided_for_good || !link.avoided_until || *link.avoided_until <= now) continue;
    if (!earliest || *link.avoided_until < *earliest) earliest = link.avoided_until;
  }
  return earliest;
}

bool LinkTable::all_avoided_for_good() const {
  return std::all_of(links_.begin(), links_.end(),
                     [](const auto& entry) { return entry.second.avoided_for_good; });
}

bool LinkTable::all_switched_off() const {
  return !links_.empty() && std::all_of(links_.begin(), links_.end(), [](const auto& entry) {
    return entry.second.use == LinkUse::kDoNotUse;
  });
}

std::vector<LinkEstimate> LinkTable::estimates(const OutstandingRequests& outstanding, TimePoint now) const {
  std::vector<LinkEstimate> result;
  for (const auto& [id, link] : links_) {
    if (!link.usable(now)) continue;
    const LinkNow at_present = link.now(id, outstanding, now);
    const Duration round_trip = link.least_round_trip.value();
    const Duration owed =
        at_present.rate ? at_present.silent + outstanding.bytes_left(id) / *at_present.rate : Duration{};
    result.push_back({id,
                      approach_ == SubsegmentApproach::kBalanced ? at_present.rate : link.estimator->throughput(),
                      round_trip, std::max(round_trip, owed)});
  }
  return result;
}

LinkNow Link::now(LinkId id, const OutstandingRequests& outstanding, TimePoint now) const {
  const OutstandingRequest* head = outstanding.head(id);
  if (head == nullptr) return {id, estimator->throughput(), {}, round_trip};
  const TimePoint spoke = std::max(estimator->begin(head->sent), head->last_byte);
  return {id, estimator->rate_now(head->received, head->sent, spoke), now - spoke, round_trip};
}

std::vector<LinkNow> LinkTable::now(const OutstandingRequests& outstanding, TimePoint now) const {
  std::vector<LinkNow> result;
  for (const auto& [id, link] : links_) result.push_back(link.now(id, outstanding, now));
  return result;
}

}  // namespace tributary
