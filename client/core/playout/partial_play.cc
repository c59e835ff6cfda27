#include "core/playout/partial_play.hh"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "core/session_state.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr double kLost = 0.02;     // of all frames, at most; links may bring less than is foreseen
constexpr double kCautious = 0.8;  // of the rate at which the rest is expected
constexpr std::size_t kReordered = 2;
constexpr Duration kLead = 700ms;  // a player pauses when it has less than half a second left (SourceSettings::low)
constexpr Duration kSoon = 500ms;
constexpr std::size_t kPieces = 10;  // of a segment: frames that are not needed soon go to the sink in such lots

/// Of all links that live.
DataRate expected_rate(const SessionState& s) {
  DataRate rate;
  for (const LinkNow& link : s.links_now()) {
    if (link.usable && link.rate && !silent_too_long(link))
      rate += std::min(*link.rate, link.lately.value_or(*link.rate));
  }
  return rate;
}

bool is_reported(const SessionState& s) { return s.options.playout == PlayoutSource::kReported; }

/// How much of the segment has been played.
Duration played(SegmentIndex segment, const SessionState& s) {
  const PlayoutBuffer& playout = s.playout.buffer();
  if (playout.playing() != segment) return {};
  return s.timeline.table().duration(segment) - playout.time_left_playout(s.now);
}

/// When a frame must be decoded, from the beginning of its segment on. Frames are taken to be equally long; some are
/// shown two places before the one at which they are decoded.
Duration needed_at(std::size_t frame, std::size_t of, Duration segment) {
  const std::size_t place = frame < kReordered ? 0 : frame - kReordered;
  return from_seconds(to_seconds(segment) * static_cast<double>(place) / static_cast<double>(of));
}

std::uint32_t picture_of(const SegmentAssembly& segment) { return segment.parts() - 1; }

}  // namespace

void PartialPlay::told(const event::FramesTold& e) {
  pictures_.insert_or_assign(e.segment, Picture{.quality = e.quality, .ends = e.ends});
}

std::optional<std::uint32_t> PartialPlay::frames_here(const SegmentAssembly& segment) const {
  const auto told = pictures_.find(segment.segment());
  const std::uint32_t part = picture_of(segment);
  if (told == pictures_.end() || told->second.quality != segment.quality() || !segment.size_is_known(part) ||
      told->second.ends.back() != segment.part_size(part) || !segment.complete_before(part))
    return std::nullopt;
  const auto& ends = told->second.ends;
  return static_cast<std::uint32_t>(std::ranges::upper_bound(ends, segment.front(part)) - ends.begin());
}

bool PartialPlay::may_begin(const SegmentAssembly& segment, const SessionState& s) const {
  const auto here = frames_here(segment);
  const DataRate rate = here && *here > 0 ? expected_rate(s) : DataRate{};
  if (rate <= DataRate{}) return false;
  const std::vector<DataSize>& ends = pictures_.at(segment.segment()).ends;
  const Duration duration = s.timeline.table().duration(segment.segment());
  const Duration until_due = std::max(*s.playout.buffer().next_due() - s.now, Duration::zero());
  std::uint64_t lost = 0;
  for (std::size_t i = *here; i < ends.size(); ++i) {
    const double comes = to_seconds(segment.missing_before(picture_of(segment), ends[i]) / rate) / kCautious;
    if (from_seconds(comes) > until_due + s.playout.play_time(needed_at(i, ends.size(), duration))) ++lost;
  }
  return static_cast<double>(lost_ + lost) <= kLost * static_cast<double>(frames_ + ends.size());
}

/// Pictures in lots, since each costs the player something; the first one at once.
void PartialPlay::show_front(SessionState& s) {
  const SegmentAssembly& first = s.book.segments().front();
  if (!s.playout.waits_for_start() || s.playout.buffer().buffered_segments() > 0 || first.complete()) return;
  const auto here = frames_here(first);
  if (!here) return;
  Picture& picture = pictures_.at(first.segment());
  const std::size_t lot = picture.handed_on == 0 ? 1 : std::max<std::size_t>(picture.ends.size() / kPieces, 1);
  if (*here < picture.handed_on + lot || *here == picture.ends.size()) return;
  s.actions.push(action::DeliverFrames{first.segment(), picture.handed_on, *here});
  picture.handed_on = *here;
}

void PartialPlay::play_anew() {
  for (auto& [segment, picture] : pictures_) picture.handed_on = 0;
}

/// What has come before the segment was due was there then, whenever the session looks.
void PartialPlay::begin(SegmentAssembly& segment, TimePoint seen, SessionState& s) {
  const SegmentIndex index = segment.segment();
  segment.begin_to_play();
  Picture& picture = pictures_.at(index);
  picture.lost = 0;
  picture.looked_at = *frames_here(segment);
  if (picture.looked_at > picture.handed_on)
    s.actions.push(
        action::DeliverFrames{index, std::exchange(picture.handed_on, picture.looked_at), picture.looked_at});
  const TimePoint due = *s.playout.buffer().next_due();
  const TimePoint here_since = seen < due ? std::min(due, s.now) : s.now;
  s.playout.add(index, s.timeline.table().duration(index), here_since, s.actions, segment.size());
}

void PartialPlay::hand_on(const SegmentAssembly& segment, SessionState& s) {
  const SegmentIndex index = segment.segment();
  const std::uint32_t here = frames_here(segment).value_or(0);
  Picture& picture = pictures_.at(index);
  const std::size_t of = picture.ends.size();
  const Duration duration = s.timeline.table().duration(index), position = played(index, s);
  for (; picture.looked_at < here; ++picture.looked_at) {
    if (position > needed_at(picture.looked_at, of, duration)) ++picture.lost;
  }
  if (here <= picture.handed_on || here == of) return;  // a complete segment is delivered
  const bool soon = needed_at(picture.handed_on, of, duration) < position + s.playout.media_time(kSoon);
  if (!soon && kPieces * (here - picture.handed_on) < of) return;
  s.actions.push(action::DeliverFrames{index, picture.handed_on, here});
  picture.handed_on = here;
}

void PartialPlay::end_first(SessionState& s) {
  const SegmentAssembly& first = s.book.segments().front();
  const SegmentIndex index = first.segment();
  const std::uint32_t here = frames_here(first).value_or(0);
  Picture& picture = pictures_.at(index);
  picture.lost += static_cast<std::uint32_t>(picture.ends.size()) - here;
  s.qualities.segment_complete(index, s.playout.buffer().speed(), s.now);
  s.actions.push(action::DeliverSegment{index, picture.handed_on, here, picture.lost});
  forget(index);
  s.book.segments().pop_front();
  s.book.abandon_what_is_not_wanted(s.links_now(), s.actions);
}

void PartialPlay::look(SessionState& s) {
  if (s.book.segments().empty()) return;
  show_front(s);
  if (s.options.partial == PartialSegments::kWait || s.spending.costs.any()) return;
  const TimePoint seen = std::exchange(looked_at_, s.now);
  auto& segments = s.book.segments();
  const bool plays = segments.front().plays();
  if (plays) hand_on(segments.front(), s);
  if (segments.front().complete()) return;
  const auto due = s.playout.buffer().next_due();
  if (!due || s.playout.buffer().buffered_segments() > 0 || *due > s.now + lead(s)) return;
  if (plays) {
    const bool next_may = segments.size() > 1 && may_begin(segments[1], s);
    if (!next_may && (is_reported(s) || *due > s.now)) return;
    end_first(s);
  }
  if (!segments.empty() && !segments.front().complete() && may_begin(segments.front(), s))
    begin(segments.front(), seen, s);
}

bool PartialPlay::needs_front(const SessionState& s) {
  return s.options.partial == PartialSegments::kPlay && s.playout.buffer().started() &&
         s.playout.buffer().buffered_segments() == 0;
}

Duration PartialPlay::lead(const SessionState& s) {
  return s.options.partial == PartialSegments::kPlay && is_reported(s) ? kLead : Duration::zero();
}

action::DeliverSegment PartialPlay::rest_of(SegmentIndex segment, QualityIndex quality, bool plays) {
  action::DeliverSegment rest{segment};
  const auto told = pictures_.find(segment);
  if (told == pictures_.end()) return rest;
  if (told->second.quality == quality) rest.begin = told->second.handed_on;
  if (plays) {
    rest.frames_lost = told->second.lost;
  } else {
    told->second.lost = 0;
  }
  forget(segment);
  return rest;
}

void PartialPlay::forget(SegmentIndex segment) {
  const auto told = pictures_.find(segment);
  frames_ += told->second.ends.size();
  lost_ += told->second.lost;
  pictures_.erase(pictures_.begin(), std::next(told));
}

}  // namespace tributary
