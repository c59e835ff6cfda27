#include "core/links/link_table.hh"

#include <algorithm>
#include <cmath>

namespace tributary {
namespace {

constexpr DataRate kLeast = DataRate::bits_per_second(100);

/// Time that an idle server loses because its congestion window starts small (RFC 6928) and doubles with each round
/// trip (RFC 5681 section 4.1), until it covers the rate of the link.
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

void LinkTable::up(LinkId id, const std::string& name, LinkUse use, std::optional<RememberedLink> remembered) {
  Link& link = links_[id];
  if (!link.estimator) link.estimator = make_estimator(approach_, timing_);
  link.name = name;
  link.use = use;
  if (remembered) link.remembered = counted_on(*remembered);
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
  return std::all_of(links_.begin(), links_.end(), [](const auto& entry) { return entry.second.avoided_for_good; });
}

bool LinkTable::all_switched_off() const {
  return !links_.empty() && std::all_of(links_.begin(), links_.end(),
                                        [](const auto& entry) { return entry.second.use == LinkUse::kDoNotUse; });
}

LinkEstimates LinkTable::estimates(std::span<const LinkNow> present, const OutstandingRequests& outstanding) const {
  LinkEstimates result, may_be_dead;
  for (const LinkNow& now : present) {
    if (!now.usable) continue;
    const Link& link = at(now.link);
    if (!traits_of(approach_).busy_rates) {
      result.emplace_back(now.link, now.remembered ? now.remembered->rate : link.estimator->throughput());
      result.back().remembered = now.remembered.has_value();
    } else {
      (silent_too_long(now) ? may_be_dead : result).push_back(link.estimate(now, outstanding));
    }
  }
  return result.empty() ? may_be_dead : result;
}

void Link::response_began(const OutstandingRequest& request, TimePoint now) {
  answer_delay.waited(now - active_at(request));
  if (estimator->begin(request.sent) == request.sent) least_round_trip.sample(now - request.sent, now);
  estimator->response_began(now);
}

void Link::received(const OutstandingRequest& request, DataSize size, bool paced, TimePoint now) {
  if (paced) {
    estimator->pause({request.received, request.sent, request.last_byte}, size, now);
  } else {
    answer_delay.waited(now - active_at(request));
    estimator->received(size, request.sent, now);
  }
  carried += size;
  recent_rate.received(size, now);
}

void Link::request_done(const OutstandingRequest& request, TimePoint now) {
  failures_in_a_row = 0;
  estimator->request_done(request.received, request.sent, now);
  answer_delay.answer_ended();
}

LinkEstimate Link::estimate(const LinkNow& present, const OutstandingRequests& outstanding) const {
  LinkEstimate estimate{present.link, present.rate ? present.rate : present.lately, least_round_trip.value()};
  estimate.answer_delay = present.answer_delay;
  if (present.remembered) {
    estimate.throughput = present.remembered->rate;
    estimate.round_trip = present.remembered->round_trip;
    estimate.remembered = true;
  }
  if (estimate.throughput) estimate.throughput = std::max(*estimate.throughput, kLeast);
  if (outstanding.head(present.link) == nullptr) {
    estimate.free_in = estimate.round_trip + slow_start(estimate.throughput, estimate.round_trip);
  } else {
    const Duration owed =
        estimate.throughput ? present.silent + outstanding.bytes_left(present.link) / *estimate.throughput : Duration{};
    estimate.free_in = std::max(estimate.round_trip, owed);
  }
  return estimate;
}

LinkNow Link::now(LinkId id, const OutstandingRequests& outstanding, TimePoint now) const {
  const OutstandingRequest* head = outstanding.head(id);
  const Duration silent = head == nullptr ? Duration{} : now - active_at(*head);
  LinkNow present{id, rate(id, outstanding), silent, round_trip.value(), {}, usable(now)};
  present.answer_delay = answer_delay.value();
  if (head != nullptr && now - head->sent >= longest_silence(present))
    present.lately = recent_rate.since(head->sent, now);
  if (!present.rate && !present.lately) present.remembered = remembered;
  return present;
}

std::optional<DataRate> Link::rate(LinkId id, const OutstandingRequests& outstanding) const {
  const OutstandingRequest* head = outstanding.head(id);
  return head == nullptr ? estimator->throughput() : estimator->rate_now(head->received, head->sent, active_at(*head));
}

std::optional<DataRate> Link::most_rate(LinkId id, const OutstandingRequests& outstanding) const {
  const OutstandingRequest* head = outstanding.head(id);
  return head == nullptr ? estimator->throughput() : estimator->most_now(head->received, head->sent, active_at(*head));
}

std::optional<DataRate> Link::dependable_rate(LinkId id, const OutstandingRequests& outstanding, TimePoint now) const {
  const OutstandingRequest* head = outstanding.head(id);
  return head == nullptr ? estimator->dependable_rate({}, now, now)
                         : estimator->dependable_rate(head->received, head->sent, active_at(*head));
}

LinksNow LinkTable::now(const OutstandingRequests& outstanding, TimePoint now) const {
  LinksNow result;
  for (const auto& [id, link] : links_) result.push_back(link.now(id, outstanding, now));
  return result;
}

}  // namespace tributary
