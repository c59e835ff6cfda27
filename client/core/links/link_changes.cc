#include "core/links/link_changes.hh"

#include "core/session_state.hh"

namespace tributary {

/// The thesis' start counts on no remembered rate, and money does not depend on one.
void take_in(const event::LinkUp& e, SessionState& s) {
  const bool counts = e.remembered_rate && s.options.start == StartRule::kFast && !s.spending.costs.spared(e.link);
  s.links.up(e.link, e.name, e.use,
             counts ? std::optional{RememberedLink{*e.remembered_rate, e.remembered_rtt}} : std::nullopt);
}

void take_in(const event::LinkDown& e, SessionState& s) { s.links.down(e.link); }

void take_in(const event::LinkUseChanged& e, SessionState& s) {
  if (!s.links.all().contains(e.link)) return;
  Link& link = s.links.at(e.link);
  link.use = e.use;
  link.needed = false;
  if (e.use == LinkUse::kDoNotUse && s.book.outstanding().count(e.link) > 0)
    abandon(e.link, "switched off by the user", s.actions);
}

void take_in(const event::RoundTripMeasured& e, SessionState& s) {
  Link& link = s.links.at(e.link);
  link.round_trip.sample(e.round_trip, e.least);
  link.least_round_trip.sample(e.least, s.now);
}

}  // namespace tributary
