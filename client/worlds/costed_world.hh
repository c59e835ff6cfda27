#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "accounts/link_account.hh"
#include "accounts/link_budget.hh"
#include "accounts/link_terms.hh"
#include "core/requests/outstanding_requests.hh"
#include "core/world.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// A world in which using links costs something: before a link is up, the session is told on which terms, and, as bytes
/// are taken from a budget (link_account.hh), how many more it may request.
class CostedWorld : public World {
 public:
  struct Options {
    TermsOfLink terms = terms_from({});  // all are free
    LinkBudget* budget = nullptr;        // nothing: each session may use the whole of a cap
    /// The session is told that links that cost something are used like this, whatever the world thinks.
    UseOfLink use = use_any_link;
  };
  /// `requests`: those of the session. World, requests and budget must outlive it.
  CostedWorld(World& world, const OutstandingRequests& requests, Options options)
      : world_{world}, requests_{requests}, options_{std::move(options)} {}

  TimedEvent next_event(std::optional<TimePoint> deadline) override;
  void perform(const Action& action, TimePoint now) override;

 private:
  struct Account {
    LinkTerms terms;
    LinkAccount bytes;
    bool told = false;
  };
  void note(Event& event, TimePoint at);
  /// Null if its link has no account.
  const OutstandingRequest* on_account(RequestId id) const;
  /// Tells the session if more may be requested, or why not.
  void look(LinkId link, Account& account, TimePoint at);

  World& world_;
  const OutstandingRequests& requests_;
  Options options_;
  std::map<LinkId, Account> accounts_;  // of links that cost something, if there is a budget
  std::deque<TimedEvent> held_back_;
};

}  // namespace tributary
