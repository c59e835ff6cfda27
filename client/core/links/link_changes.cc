#include "core/links/link_changes.hh"

#include "core/session_state.hh"

namespace tributary {
namespace {

/// Another connection over the same link is taken to be as fast, until it is measured.
void lane_up(const event::LinkUp& e, SessionState& s) {
  if (!s.links.all().contains(link_of(e.link))) return;
  const LinkNow first = s.links.at(link_of(e.link)).now(link_of(e.link), s.book.outstanding(), s.now);
  const LeastRoundTrip delay = s.links.at(link_of(e.link)).least_round_trip;
  s.links.up(e.link, e.name, e.use,
             first.rate ? std::optional{RememberedLink{*first.rate, delay.value()}} : std::nullopt);
  s.links.at(e.link).least_round_trip = delay;
  s.links.at(e.link).closing = false;
}

template <typename Change>
void change_lanes(LinkId link, SessionState& s, const Change& change) {
  for (const auto& [id, _] : s.links.all()) {
    if (is_lane(id) && link_of(id) == link) change(id);
  }
}

}  // namespace

/// The thesis' start counts on no remembered rate, and money does not depend on one.
void take_in(const event::LinkUp& e, SessionState& s) {
  if (is_lane(e.link)) return lane_up(e, s);
  const bool counts = e.remembered_rate && s.options.start == StartRule::kFast && !s.spending.costs.spared(e.link);
  s.links.up(e.link, e.name, e.use,
             counts ? std::optional{RememberedLink{*e.remembered_rate, e.remembered_rtt}} : std::nullopt);
  s.links.at(e.link).one_connection = e.one_connection;
}

void take_in(const event::LinkDown& e, SessionState& s) {
  s.links.down(e.link);
  change_lanes(e.link, s, [&](LinkId lane) { s.links.down(lane); });
}

void take_in(const event::LinkUseChanged& e, SessionState& s) {
  if (!s.links.all().contains(e.link)) return;
  Link& link = s.links.at(e.link);
  link.use = e.use;
  link.needed = false;
  if (e.use == LinkUse::kDoNotUse && s.book.outstanding().count(e.link) > 0)
    abandon(e.link, "switched off by the user", s.actions);
}

void take_in(const event::RoundTripMeasured& e, SessionState& s) {
  if (!s.links.all().contains(e.link)) return;  // it was a lane, and is closed: this came with its last bytes
  Link& link = s.links.at(e.link);
  link.round_trip.sample(e.round_trip, e.least);
  link.round_trip_measured = s.now;
  link.least_round_trip.sample(e.least, s.now);
}

}  // namespace tributary
