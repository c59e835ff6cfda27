#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "core/world.hh"
#include "worlds/accounts/link_budget.hh"
#include "worlds/accounts/link_terms.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// A world in which using links costs something: before a link is up, the session is told on which terms, and, as bytes are taken
/// from a budget, how many more it may request. What was taken and has not come is given back when the world ends.
class CostedWorld : public World {
 public:
  /// The world and the budget must outlive it. Without a budget, each session may use the whole of a cap. The session is told of
  /// links that cost something that they are used as `use` says, whatever the world thinks.
  CostedWorld(World& world, TermsOfLink terms, LinkBudget* budget = nullptr, UseOfLink use = use_any_link)
      : world_{world}, terms_of_{std::move(terms)}, budget_{budget}, use_{std::move(use)} {}
  CostedWorld(World& world, TermsOfLinks terms) : CostedWorld{world, terms_from(std::move(terms))} {}
  ~CostedWorld() override;

  TimedEvent next_event(std::optional<TimePoint> deadline) override;
  void perform(const Action& action, TimePoint now) override;

 private:
  struct Account {
    LinkTerms terms;
    std::unique_ptr<LinkLease> lease;  // if there is a budget
    DataSize taken{}, requested{}, received{};
    bool told = false;
    std::string why_not_more{};
    DataSize used_before{};
    TimePoint asked_at{};
  };
  struct Request {
    LinkId link{};
    DataSize left;
  };
  void note(Event& event, TimePoint at);
  void top_up(LinkId link, Account& account, TimePoint at);

  World& world_;
  TermsOfLink terms_of_;
  LinkBudget* budget_;
  UseOfLink use_;
  std::map<LinkId, Account> accounts_;
  std::map<RequestId, Request> requests_;
  std::deque<TimedEvent> held_back_;
};

}  // namespace tributary
