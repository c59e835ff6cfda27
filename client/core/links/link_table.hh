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

#include "core/links/answer_delay.hh"
#include "core/links/last_round_trip.hh"
#include "core/links/least_round_trip.hh"
#include "core/links/link_estimator.hh"
#include "core/links/link_ids.hh"
#include "core/links/link_now.hh"
#include "core/links/link_use.hh"
#include "core/links/recent_rate.hh"
#include "core/links/remembered_link.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/subsegments/subsegment_planner.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct Link {
  std::string name;
  LinkUse use = LinkUse::kUse;
  bool needed = false;  // matters for LinkUse::kWhenNeeded
  bool up = false;
  bool avoided_for_good = false;
  bool used_up = false;  // its cap is used up
  bool closing = false;  // a lane that is asked for nothing more
  std::optional<TimePoint> avoided_until;
  std::uint32_t failures_in_a_row = 0;
  std::unique_ptr<LinkEstimator> estimator;
  DataSize carried;
  RecentRate recent_rate;
  LastRoundTrip round_trip;
  TimePoint round_trip_measured;
  LeastRoundTrip least_round_trip;
  AnswerDelay answer_delay;
  std::optional<DataRate> one_connection;    // event::LinkUp
  std::optional<RememberedLink> remembered;  // as far as plans count on it, until a rate is measured

  // ---- What happens to a request on it

  void response_began(const OutstandingRequest& request, TimePoint now);
  /// `size` bytes of the answer came now. `paced`: as event::BytesReceived has it.
  void received(const OutstandingRequest& request, DataSize size, bool paced, TimePoint now);
  void request_done(const OutstandingRequest& request, TimePoint now);

  // ---- What is known

  /// The user allows its use now.
  bool wanted() const { return use == LinkUse::kUse || (use == LinkUse::kWhenNeeded && needed); }
  /// For the plan of balanced subsegments.
  LinkEstimate estimate(const LinkNow& present, const OutstandingRequests& outstanding) const;
  LinkNow now(LinkId id, const OutstandingRequests& outstanding, TimePoint now) const;
  /// The rate at this moment. It changes only when bytes come or are asked for.
  std::optional<DataRate> rate(LinkId id, const OutstandingRequests& outstanding) const;
  /// The rate on which a quality may count.
  std::optional<DataRate> dependable_rate(LinkId id, const OutstandingRequests& outstanding, TimePoint now) const;
  /// A bound of rate() that is sooner computed.
  std::optional<DataRate> most_rate(LinkId id, const OutstandingRequests& outstanding) const;
  /// When it last brought bytes, or turned to the request that it answers.
  TimePoint active_at(const OutstandingRequest& head) const {
    return std::max(estimator->begin(head.sent), head.last_byte);
  }
  bool usable(TimePoint now) const {
    return up && wanted() && !closing && !avoided_for_good && !used_up && (!avoided_until || *avoided_until <= now);
  }
};

using LinksNow = OfLinks<LinkNow>;

/// The links that a session has seen: their use, and what each carries.
class LinkTable {
 public:
  explicit LinkTable(SubsegmentApproach approach, LinkTiming timing = LinkTiming::kOurs)
      : approach_{approach}, timing_{timing} {}

  void up(LinkId link, const std::string& name, LinkUse use, std::optional<RememberedLink> remembered);
  void down(LinkId link) {
    at(link).up = false;
    at(link).estimator->connection_lost();
  }

  /// A lane that owes nothing is known no more.
  void forget(LinkId lane) { links_.erase(lane); }

  bool empty() const { return links_.empty(); }
  const auto& all() const { return links_; }
  /// A link that was seen. There are few: looking through them is the quickest.
  const Link& at(LinkId link) const {
    const auto found = std::ranges::find(links_ | std::views::keys, link).base();
    assert(found != links_.end());
    return found->second;
  }
  Link& at(LinkId link) { return const_cast<Link&>(std::as_const(*this).at(link)); }

  /// False for a lane that is forgotten.
  bool is_usable(LinkId link, TimePoint now) const { return links_.contains(link) && at(link).usable(now); }
  /// A view of their ids.
  auto usable(TimePoint now) const {
    return links_ | std::views::filter([now](const auto& entry) { return entry.second.usable(now); }) |
           std::views::keys;
  }
  /// When the next of the avoided links may be used again.
  std::optional<TimePoint> next_return(TimePoint now) const;
  bool all_avoided_for_good() const;
  /// There are links, and the user switched all of them off.
  bool all_switched_off() const;

  /// The state of all links at this moment.
  LinksNow now(const OutstandingRequests& outstanding, TimePoint now) const;
  /// Estimates of the usable links, for plans. Links that may be dead are among them only if no other is left.
  LinkEstimates estimates(std::span<const LinkNow> present, const OutstandingRequests& outstanding) const;
  LinkEstimates estimates(const OutstandingRequests& outstanding, TimePoint now) const {
    return estimates(this->now(outstanding, now), outstanding);
  }

 private:
  SubsegmentApproach approach_;
  LinkTiming timing_;
  boost::container::flat_map<LinkId, Link> links_;
};

}  // namespace tributary
