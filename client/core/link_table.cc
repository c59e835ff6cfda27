#include "core/link_table.hh"

#include <algorithm>
#include <cmath>

namespace tributary {
namespace {

/// What the congestion window of a server costs that has been idle, and doubles with each round trip (RFC 5681 section 4.1)
/// from the initial one (RFC 6928) to what is under way at the rate of the link.
Duration slow_start(std::optional<DataRate> rate, Duration round_trip) {
  constexpr double kInitialWindow = 14600;
  if (!rate || round_trip <= Duration::zero()) return {};
  const double per_second = rate->bits_per_second() / 8, under_way = per_second * to_seconds(round_trip);
  if (under_way <= kInitialWindow) return {};
  const double rounds = std::ceil(std::log2(under_way / kInitialWindow));
  const double sent_meanwhile = kInitialWindow * (std::exp2(rounds) - 1) / per_second;
  return from_seconds(std::max(0.0, rounds * to_seconds(round_trip) - sent_meanwhile));
}

}  // namespace

void LinkTable::up(LinkId id, const std::string& name, LinkUse use) {
  Link& link = links_[id];
  if (!link.estimator) link.estimator = make_estimator(approach_);
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

std::vector<LinkEstimate> LinkTable::estimates(const OutstandingRequests& outstanding, TimePoint now) const {
  std::vector<LinkEstimate> result;
  for (const auto& [id, link] : links_) {
    if (!link.usable(now)) continue;
    LinkEstimate& estimate = result.emplace_back(id, link.estimator->throughput());
    estimate.dependable = estimate.throughput;
    if (approach_ == SubsegmentApproach::kBalanced) link.describe(estimate, outstanding, now);
  }
  return result;
}

void Link::describe(LinkEstimate& estimate, const OutstandingRequests& outstanding, TimePoint at) const {
  estimate.round_trip = least_round_trip.value();
  const OutstandingRequest* head = outstanding.head(estimate.link);
  if (head == nullptr) {
    estimate.dependable = estimator->dependable_rate({}, at, at);
    estimate.free_in = estimate.round_trip + slow_start(estimate.throughput, estimate.round_trip);
    return;
  }
  const LinkNow present = now(estimate.link, outstanding, at);
  estimate.throughput = present.rate;
  estimate.dependable = estimator->dependable_rate(head->received, head->sent, at - present.silent);
  const Duration owed = present.rate ? present.silent + outstanding.bytes_left(estimate.link) / *present.rate : Duration{};
  estimate.free_in = std::max(estimate.round_trip, owed);
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
