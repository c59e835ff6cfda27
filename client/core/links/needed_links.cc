#include "core/links/needed_links.hh"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/session_state.hh"

namespace tributary {
namespace {

constexpr Duration kEnough = std::chrono::seconds{8};  // in the buffer of somebody else's player

/// Of the links that are always used; nothing if one of them is unmeasured.
std::optional<DataRate> rate_of_links_in_use(const SessionState& s) {
  constexpr Duration kMostSilence = std::chrono::seconds{2};
  DataRate sum;
  for (const LinkNow& now : s.links_now()) {
    const Link& link = s.links.at(now.link);
    if (link.use != LinkUse::kUse || !link.usable(s.now) || now.silent >= kMostSilence) continue;
    if (!now.rate && is_lane(now.link)) continue;  // the link itself is measured
    if (!now.rate) return std::nullopt;
    sum += *now.rate;
  }
  return sum;
}

LinkNeed::Situation situation_of(const SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  const auto segment = std::min(s.timeline.next_segment(), static_cast<SegmentIndex>(table.segment_count() - 1));
  LinkNeed::Situation situation;
  situation.others = std::ranges::any_of(s.links.all(), [](const auto& entry) {
    const Link& link = entry.second;
    return link.use == LinkUse::kUse && link.up && !link.avoided_for_good && !link.used_up;
  });
  situation.wanted = s.wants_bytes();
  if (s.options.mode == StreamingMode::kDemanded) {
    situation.buffered = std::max(s.first_due() - s.now, Duration{});
    situation.buffer = kEnough;
  } else {
    situation.buffered = s.playout.buffer().buffered() + s.playout.buffer().time_left_playout(s.now);
    situation.buffer = s.options.buffer_segments * table.duration(segment);
  }
  situation.rate = rate_of_links_in_use(s);
  situation.lowest = table.size(segment, QualityIndex{0}) / s.playout.play_time(table.duration(segment));
  return situation;
}

}  // namespace

void NeededLinks::decide(SessionState& s) {
  const auto is_standby = [](const auto& entry) { return entry.second.use == LinkUse::kWhenNeeded; };
  if (std::ranges::none_of(s.links.all(), is_standby)) return;
  const LinkNeed::Decision decision = need_.decide(situation_of(s));
  for (const auto& [id, known] : s.links.all()) {
    Link& link = s.links.at(id);
    if (link.use != LinkUse::kWhenNeeded || link.needed == decision.needed) continue;
    link.needed = decision.needed;
    s.actions.push(action::NeedLink{id, decision.needed, decision.why});
  }
}

bool NeededLinks::may_become_needed(const SessionState& s) {
  return s.wants_bytes() && std::ranges::any_of(s.links.all(), [](const auto& entry) {
           const Link& link = entry.second;
           return link.up && link.use == LinkUse::kWhenNeeded && !link.needed;
         });
}

}  // namespace tributary
