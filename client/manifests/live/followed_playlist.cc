#include "manifests/live/followed_playlist.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr int kFailsFor = 2, kStandsStillFor = 3;  // target durations since it grew
constexpr int kFarAhead = 10;                      // target durations by which numbers may be ahead of the time
constexpr Duration kLeftAlone = 5s;                // while it is left out, and does not grow
constexpr Duration kShortestUnheld = 10s, kLongestUnheld = 10min;
constexpr std::uint64_t kSegmentsBehind = 3;  // reports that are further ahead are not believed

/// Another picture has grown since this one did, and is good.
bool others_went_on(std::span<const FollowedPlaylist> playlists, const FollowedPlaylist& one) {
  return std::ranges::any_of(playlists, [&](const FollowedPlaylist& other) {
    return &other != &one && other.is_picture() && other.is_there && other.failure.empty() &&
           other.grew_at > one.grew_at + one.known.target / 2;
  });
}

/// Nothing: it can be followed, or no other one can.
std::optional<std::string> why_left_out(std::span<const FollowedPlaylist> playlists, const FollowedPlaylist& one,
                                        UtcTime now) {
  const bool fails = !one.failure.empty();
  if (now - one.grew_at <= (fails ? kFailsFor : kStandsStillFor) * one.known.target) return std::nullopt;
  if (!others_went_on(playlists, one)) return std::nullopt;
  return fails ? one.failure : fmt::format("no segment was added for {:.0f} s", to_seconds(now - one.grew_at));
}

/// Whether it lists as much as all those that are there, and can stand in their place.
bool has_come_up(std::span<const FollowedPlaylist> playlists, const FollowedPlaylist& one) {
  const bool is_late = std::ranges::any_of(playlists, [&](const FollowedPlaylist& other) {
    return other.is_picture() && other.is_there &&
           other.known.end() > one.known.end() + hls_ticks(one.known.target) / 2;
  });
  const FollowedPlaylist* const first = reference(playlists);
  return !is_late && (!one.is_picture() || first == nullptr || !why_not_switchable(one.whole(), first->whole()));
}

}  // namespace

UtcTime FollowedPlaylist::due() const {
  if (deltas.wants_all()) return fetched;
  const Duration usual = grew ? known.target : known.target / 2;
  return fetched + std::chrono::ceil<std::chrono::milliseconds>(is_there || grew ? usual : std::max(usual, kLeftAlone));
}

UtcTime FollowedPlaylist::part_due() const {
  if (deltas.wants_all()) return fetched;
  const Duration pause = !grew       ? std::clamp<Duration>(known.part_target / 4, 20ms, 500ms)
                         : is_held() ? Duration{}
                                     : known.part_target * 3 / 4;
  return fetched + std::chrono::ceil<std::chrono::milliseconds>(pause);
}

/// After a failure, the origin is asked for what it has.
bool FollowedPlaylist::is_held() const {
  return goes_by_parts() && known.can_block && failure.empty() && !deltas.wants_all() && fetched >= unheld_until;
}

void FollowedPlaylist::hold_in_vain(UtcTime now) {
  if (!is_held()) return;
  unheld_for = std::clamp<Duration>(2 * unheld_for, kShortestUnheld, kLongestUnheld);
  unheld_until = now + std::chrono::ceil<std::chrono::milliseconds>(unheld_for);
}

HlsRendition::Part FollowedPlaylist::wanted_part() const {
  const HlsRendition::Part next = known.next_part();
  return is_played ? next : HlsRendition::Part{next.segment + (next.part > 0 ? 1 : 0), 0};
}

/// By a report that can be believed.
bool FollowedPlaylist::is_behind() const {
  const HlsRendition::Part next = wanted_part();
  return reported && *reported >= next && reported->segment - next.segment <= kSegmentsBehind;
}

bool FollowedPlaylist::is_answered_at_once() const { return deltas.wants_all() || (is_held() && is_behind()); }

/// Directives stand in the order of their names (RFC 8216bis section 6.2.5).
std::string FollowedPlaylist::address(UtcTime now) const {
  std::vector<std::string> directives;
  if (is_held()) {
    const HlsRendition::Part next = is_behind() ? *reported : wanted_part();
    directives = {fmt::format("_HLS_msn={}", next.segment), fmt::format("_HLS_part={}", next.part)};
  }
  if (may_skip(now)) directives.emplace_back("_HLS_skip=YES");
  if (directives.empty()) return listed.url;
  const std::string url = listed.url.substr(0, listed.url.find('#'));
  return fmt::format("{}{}{}", url, url.find('?') == std::string::npos ? '?' : '&', fmt::join(directives, "&"));
}

bool FollowedPlaylist::began_anew(const hls::MediaPlaylist& version, UtcTime now) {
  if (!is_known()) return false;
  const hls::MediaSegment &front = version.segments.front(), &last = version.segments.back();
  const auto before = std::exchange(went_back_to, std::nullopt);
  const Duration since = now - grew_at;
  if (front.sequence > known.next_number())
    return static_cast<double>(front.sequence - known.next_number()) * known.target >
           2 * since + kFarAhead * known.target;
  if (last.sequence + 1 >= known.next_number()) return false;
  if (known.names_other_files(version)) return true;
  const auto date = known.dated(last);
  if (date && *date + known.date_shift >= known.end()) return true;
  went_back_to = last.sequence;
  const bool nothing_in_common = last.sequence < known.first;
  return before && last.sequence > *before && (nothing_in_common || since > kStandsStillFor * known.target);
}

void FollowedPlaylist::grow(UtcTime now) {
  failure.clear();
  if (grew) grew_at = now;
}

void FollowedPlaylist::fail(const std::string& why, UtcTime sent) {
  failure = why;
  if (is_there) return;  // it is asked for again at once
  grew = false;
  fetched = sent;
}

ListedTrack FollowedPlaylist::track() const {
  ListedTrack track{.track = listed.track, .segments = known.all()};
  for (ListedSegment& segment : track.segments) segment.continues = segment.continues && is_picture();
  for (const auto& [number, beginning] : known.stretches) track.stretches.emplace(number, beginning.how);
  track.is_there = is_there;
  track.is_played = is_played || !goes_by_parts();
  return track;
}

ListedTrack FollowedPlaylist::whole() const { return {.track = listed.track, .segments = known.segments}; }

const FollowedPlaylist* reference(std::span<const FollowedPlaylist> playlists) {
  const auto first = std::ranges::find_if(
      playlists, [](const FollowedPlaylist& one) { return one.is_picture() && one.is_there && one.is_known(); });
  return first != playlists.end() ? &*first : nullptr;
}

void leave_out_and_take_back(std::span<FollowedPlaylist> playlists, UtcTime now, std::vector<std::string>& notes) {
  for (FollowedPlaylist& one : playlists) {
    if (one.is_there) {
      const auto why = why_left_out(playlists, one, now);
      if (!why) continue;
      one.is_there = false;
      one.left_out_at = now;
      notes.push_back(fmt::format("left out: {}: {}", one.listed.track.id, *why));
    } else if (one.is_known() && one.failure.empty() && one.grew_at > one.left_out_at && has_come_up(playlists, one)) {
      one.is_there = true;
      notes.push_back(fmt::format("{} can be played again", one.listed.track.id));
    }
  }
}

}  // namespace tributary
