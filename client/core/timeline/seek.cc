#include "core/timeline/seek.hh"

#include <algorithm>
#include <chrono>

#include "core/scheduling/segment_start.hh"
#include "core/session_state.hh"

namespace tributary {
namespace {

constexpr Duration kNearLive = std::chrono::seconds{5};

/// The user wants to be so far behind the live edge. Where the latency is steered, a seek to about where playout is anyway is no
/// such wish.
void accept(Duration age, Duration segment, SessionState& s) {
  const Duration latency = s.options.latency;
  if (latency <= Duration{}) return s.playout.accept_age(age, segment);
  s.playout.accept_age(age > latency + kNearLive ? age : Duration{}, latency);
}

}  // namespace

void take_in(const event::SeekRequested& e, SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  const bool other_sound = e.sound && table.sound() != e.sound;
  if (other_sound) {
    s.timeline.choose_sound(*e.sound);
    s.book.forget_init_parts();
  }
  const SegmentIndex segment = s.timeline.nearest_to(table.switch_point(e.segment));
  const std::uint32_t cached = segment == e.segment ? e.cached : 0;
  s.playout.seek(segment, cached, table, s.now);
  const auto first_missing = static_cast<SegmentIndex>(std::min(to_index(segment) + cached, table.segment_count()));
  s.qualities.seek(first_missing);
  if (!s.book.drop_all_but(first_missing, !other_sound, s.actions)) s.timeline.continue_with(first_missing);
  for (SegmentAssembly& kept : s.book.segments()) kept.play_anew();
  s.partial.play_anew();
  bring_lost_init_parts(s);
  s.book.abandon_what_is_not_wanted(s.links_now(), s.actions);
  s.wait.restart(s.now);
  if (const auto age = s.timeline.age(segment, s.now)) accept(*age, table.duration(segment), s);
}

}  // namespace tributary
