#include "worlds/costed_world.hh"

#include <fmt/format.h>

#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

// Taken at once. When half of it is requested, more is taken: a link at 100 Mbit/s asks ten times a second at the most.
constexpr DataSize kTakenAtOnce{2'000'000};

// A reset day may come, and other programs end and give back what they did not use.
constexpr Duration kAsksAgain = std::chrono::seconds{60};

}  // namespace

CostedWorld::~CostedWorld() {
  for (const auto& [link, account] : accounts_) {
    if (account.lease) account.lease->give_back(account.taken - account.received);
  }
}

TimedEvent CostedWorld::next_event(std::optional<TimePoint> deadline) {
  if (held_back_.empty()) {
    TimedEvent next = world_.next_event(deadline);
    note(next.event, next.at);
    if (held_back_.empty()) return next;
    held_back_.push_back(std::move(next));
  }
  TimedEvent first = std::move(held_back_.front());
  held_back_.pop_front();
  return first;
}

/// Puts the events that the session must know first before this one.
void CostedWorld::note(Event& event, TimePoint at) {
  for (auto& [link, account] : accounts_) {
    if (!account.why_not_more.empty() && at >= account.asked_at + kAsksAgain) top_up(link, account, at);
  }
  if (auto* up = std::get_if<event::LinkUp>(&event)) {
    const LinkTerms terms = options_.terms(up->name);
    if (terms.kind == CostKind::kFree) return;
    up->use = options_.use(up->name);
    if (options_.budget != nullptr) {
      Account& account = accounts_.try_emplace(up->link, Account{.terms = terms, .lease = nullptr}).first->second;
      if (!account.lease) account.lease = options_.budget->lease(up->name, terms);
      return top_up(up->link, account, at);
    }
    event::LinkCostTold told{{terms.kind, terms.price_per_mb, terms.cap}, up->link};
    if (terms.cap) told.why_not_more = fmt::format("its cap of {} is used up", format_size(*terms.cap));
    held_back_.push_back({at, std::move(told)});
  } else if (const auto* bytes = std::get_if<event::BytesReceived>(&event)) {
    if (const OutstandingRequest* request = on_account(bytes->request))
      accounts_.at(request->link).received += bytes->size;
  } else if (const auto* failed = std::get_if<event::RequestFailed>(&event)) {
    const OutstandingRequest* request = on_account(failed->request);
    if (request == nullptr) return;
    Account& account = accounts_.at(request->link);
    account.requested -= request->left().size();
    account.lease->not_requested(account.taken - account.requested);
  }
}

const OutstandingRequest* CostedWorld::on_account(RequestId id) const {
  const OutstandingRequest* request = requests_.find(id);
  return request != nullptr && accounts_.contains(request->link) ? request : nullptr;
}

void CostedWorld::perform(const Action& action, TimePoint now) {
  const auto* send = std::get_if<action::SendRequest>(&action);
  const auto found = send == nullptr ? accounts_.end() : accounts_.find(send->link);
  if (found == accounts_.end()) return world_.perform(action, now);
  Account& account = found->second;
  account.requested += send->range.size();
  account.lease->not_requested(account.taken - account.requested);
  world_.perform(action, now);
  if (account.taken - account.requested < scale(kTakenAtOnce, 0.5)) top_up(send->link, account, now);
}

void CostedWorld::top_up(LinkId link, Account& account, TimePoint at) {
  const DataSize before = account.taken;
  const DataSize wanted = account.requested + kTakenAtOnce - account.taken;
  const std::string why_before = account.why_not_more;
  account.asked_at = at;
  if (wanted > DataSize{}) {
    Grant grant = account.lease->take(wanted);
    account.taken += grant.size;
    account.used_before = std::max(grant.used - account.taken, DataSize{});
    account.why_not_more = std::move(grant.why_not_more);
  }
  const bool same = account.taken == before && account.why_not_more == why_before;
  if (account.told && (same || !account.terms.cap)) return;
  account.told = true;
  event::LinkCostTold told{{account.terms.kind, account.terms.price_per_mb}, link};
  if (account.terms.cap) {
    told.allowed = account.taken;
    told.why_not_more = account.why_not_more;
    told.cap = account.terms.cap;
    told.used_before = account.used_before;
  }
  held_back_.push_back({at, std::move(told)});
}

}  // namespace tributary
