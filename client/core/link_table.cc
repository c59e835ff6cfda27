#include "core/link_table.hh"

#include <algorithm>

namespace tributary {

void LinkTable::up(LinkId id, const std::string& name, LinkUse use) {
  Link& link = links_[id];
  link.name = name;
  link.use = use;
  link.up = true;
  link.avoided_for_good = false;  // it may lead elsewhere now
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

std::vector<LinkEstimate> LinkTable::estimates(TimePoint now) const {
  std::vector<LinkEstimate> result;
  for (const LinkId id : usable(now)) result.push_back({id, at(id).estimator.throughput()});
  return result;
}

std::vector<LinkNow> LinkTable::now(const OutstandingRequests& outstanding, TimePoint now) const {
  std::vector<LinkNow> result;
  for (const auto& [id, link] : links_) {
    const OutstandingRequest* head = outstanding.head(id);
    if (head == nullptr) {
      result.push_back({id, link.estimator.throughput(), {}, link.round_trip});
    } else {
      const TimePoint spoke = std::max(link.estimator.begin(head->sent), head->last_byte);
      result.push_back(
          {id, link.estimator.rate_now(head->received, head->sent, spoke), now - spoke, link.round_trip});
    }
  }
  return result;
}

}  // namespace tributary
