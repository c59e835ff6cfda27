#include "proxy/players/player_needs.hh"

namespace tributary::proxy {

Duration PlayerNeeds::due_in(const Cmcd& cmcd, Duration otherwise) {
  return cmcd.startup ? Duration{} : cmcd.deadline.value_or(cmcd.buffered.value_or(otherwise));
}

PlayerNeeds::Need PlayerNeeds::of_segment(const MediaFile& segment, const Cmcd& cmcd, bool lead, TimePoint now) {
  Need need;
  if (lead) need.in_hand = due_in(cmcd, pace_.left(segment.rendition, segment.grid.number, segment.duration, now));
  need.lasts = cmcd.deadline ? cmcd.deadline : cmcd.buffered;
  if (!need.lasts) need.lasts = pace_.lasts(segment.rendition, segment.duration, now);
  if (cmcd.startup) need.lasts.reset();
  need.due_in = of_part(segment.rendition, segment.duration, cmcd, now);
  return need;
}

Duration PlayerNeeds::of_part(const std::string& rendition, Duration duration, const Cmcd& cmcd, TimePoint now) {
  return due_in(cmcd, pace_.asked(rendition, duration, now));
}

}  // namespace tributary::proxy
