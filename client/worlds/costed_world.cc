#include "worlds/costed_world.hh"

#include <fmt/format.h>

#include "units/text/quantity_text.hh"

namespace tributary {

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
    if (!account.bytes.why_not_more().empty()) look(link, account, at);
  }
  if (auto* up = std::get_if<event::LinkUp>(&event)) {
    const LinkTerms terms = options_.terms(up->name);
    if (terms.kind == CostKind::kFree) return;
    up->use = options_.use(up->name);
    if (options_.budget != nullptr) {
      auto known = accounts_.find(up->link);
      if (known == accounts_.end())
        known = accounts_.emplace(up->link, Account{terms, LinkAccount{options_.budget->lease(up->name, terms)}}).first;
      return look(up->link, known->second, at);
    }
    event::LinkCostTold told{{terms.kind, terms.price_per_mb, terms.cap}, up->link};
    if (terms.cap) told.why_not_more = fmt::format("its cap of {} is used up", format_size(*terms.cap));
    held_back_.push_back({at, std::move(told)});
  } else if (const auto* bytes = std::get_if<event::BytesReceived>(&event)) {
    if (const OutstandingRequest* request = on_account(bytes->request))
      accounts_.at(request->link).bytes.received(bytes->size);
  } else if (const auto* failed = std::get_if<event::RequestFailed>(&event)) {
    if (const OutstandingRequest* request = on_account(failed->request))
      accounts_.at(request->link).bytes.failed(request->left().size());
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
  found->second.bytes.requested(send->range.size());
  world_.perform(action, now);
  look(send->link, found->second, now);
}

void CostedWorld::look(LinkId link, Account& account, TimePoint at) {
  const DataSize before = account.bytes.taken();
  const std::string why_before = account.bytes.why_not_more();
  account.bytes.look(at);
  const bool same = account.bytes.taken() == before && account.bytes.why_not_more() == why_before;
  if (account.told && (same || !account.terms.cap)) return;
  account.told = true;
  event::LinkCostTold told{{account.terms.kind, account.terms.price_per_mb}, link};
  if (account.terms.cap) {
    told.allowed = account.bytes.taken();
    told.why_not_more = account.bytes.why_not_more();
    told.cap = account.terms.cap;
    told.used_before = account.bytes.used_before();
  }
  held_back_.push_back({at, std::move(told)});
}

}  // namespace tributary
