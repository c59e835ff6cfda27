#pragma once

#include <boost/container/flat_map.hpp>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>

#include "core/answer_delay.hh"
#include "core/last_round_trip.hh"
#include "core/least_round_trip.hh"
#include "core/link_estimator.hh"
#include "core/link_ids.hh"
#include "core/link_now.hh"
#include "core/link_use.hh"
#include "core/outstanding_requests.hh"
#include "core/recent_rate.hh"
#include "core/remembered_link.hh"
#include "core/subsegment_planner.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct Link {
  std::string name;
  LinkUse use = LinkUse::kUse;
  bool needed = false;  // matters for LinkUse::kWhenNeeded
  bool up = false;
  bool avoided_for_good = false;
  bool used_up = false;  // it has brought, or was asked for, all that it may bring
  std::optional<TimePoint> avoided_until;
  std::uint32_t failures_in_a_row = 0;
  std::unique_ptr<LinkEstimator> estimator;
  RecentRate recent_rate;
  LastRoundTrip round_trip;
  LeastRoundTrip least_round_trip;
  AnswerDelay answer_delay;
  std::optional<RememberedLink> remembered;  // as far as it is counted on, until something is measured

  // ---- What happens to a request on it

  void response_began(const OutstandingRequest& request, TimePoint now);
  /// So much of the answer came now.
  void received(const OutstandingRequest& request, DataSize size, TimePoint now);
  void request_done(const OutstandingRequest& request, TimePoint now);

  // ---- What is known

  /// It may be asked for something, as far as the user is concerned.
  bool wanted() const { return use == LinkUse::kUse || (use == LinkUse::kWhenNeeded && needed); }
  /// What balanced subsegments are planned by.
  LinkEstimate estimate(const LinkNow& present, const OutstandingRequests& outstanding) const;
  LinkNow now(LinkId id, const OutstandingRequests& outstanding, TimePoint now) const;
  /// What it seems to carry at this moment. Until something more comes or is asked for, it stays the same.
  std::optional<DataRate> rate(LinkId id, const OutstandingRequests& outstanding) const;
  /// The same, as far as a quality may count on it.
  std::optional<DataRate> dependable_rate(LinkId id, const OutstandingRequests& outstanding, TimePoint now) const;
  /// What rate() does not exceed: that is sooner said.
  std::optional<DataRate> most_rate(LinkId id, const OutstandingRequests& outstanding) const;
  /// When it brought something last, or turned to the request that it answers.
  TimePoint active_at(const OutstandingRequest& head) const {
    return std::max(estimator->begin(head.sent), head.last_byte);
  }
  bool usable(TimePoint now) const {
    return up && wanted() && !avoided_for_good && !used_up && (!avoided_until || *avoided_until <= now);
  }
};

using LinksNow = OfLinks<LinkNow>;

/// The links that a session has seen: which can be used, and what each carries.
class LinkTable {
 public:
  explicit LinkTable(SubsegmentApproach approach) : approach_{approach} {}

  void up(LinkId link, const std::string& name, LinkUse use, std::optional<RememberedLink> remembered);
  void down(LinkId link) {
    at(link).up = false;
    at(link).estimator->connection_lost();
  }

  bool empty() const { return links_.empty(); }
  const auto& all() const { return links_; }
  /// One that it has seen. There are few: looking through them is the quickest.
  const Link& at(LinkId link) const {
    const auto found = std::ranges::find(links_ | std::views::keys, link).base();
    assert(found != links_.end());
    return found->second;
  }
  Link& at(LinkId link) { return const_cast<Link&>(std::as_const(*this).at(link)); }

  /// A view of their ids.
  auto usable(TimePoint now) const {
    return links_ | std::views::filter([now](const auto& entry) { return entry.second.usable(now); }) |
           std::views::keys;
  }
  /// When the next of the avoided links may be used again.
  std::optional<TimePoint> next_return(TimePoint now) const;
  bool all_avoided_for_good() const;
  /// There are links, and the user wants none of them.
  bool all_switched_off() const;

  /// What each link does at this moment, all links.
  LinksNow now(const OutstandingRequests& outstanding, TimePoint now) const;
  /// Of the links that can be used, for plans.
  LinkEstimates estimates(std::span<const LinkNow> present, const OutstandingRequests& outstanding) const;
  LinkEstimates estimates(const OutstandingRequests& outstanding, TimePoint now) const {
    return estimates(this->now(outstanding, now), outstanding);
  }

 private:
  SubsegmentApproach approach_;
  boost::container::flat_map<LinkId, Link> links_;
};

}  // namespace tributary
