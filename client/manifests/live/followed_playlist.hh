#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "manifests/live/delta_updates.hh"
#include "manifests/live/hls_rendition.hh"
#include "manifests/live/live_manifest.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// A media playlist, and what the multivariant playlist says about it.
struct ListedPlaylist {
  Track track;
  std::string url;                     // of the playlist
  std::vector<std::string> also_at{};  // of redundant ones
};

/// A media playlist that is fetched again and again.
struct FollowedPlaylist {
  ListedPlaylist listed;
  HlsRendition known{};  // without a segment: it could not be had yet
  UtcTime fetched{};     // when it was asked for last, and was good, or is left out
  UtcTime grew_at{};
  bool grew = true;       // the last time
  bool is_there = true;   // false: it is left out
  std::string failure{};  // why it could not be had or read the last time; empty: it could
  UtcTime left_out_at{};
  std::optional<std::uint64_t> went_back_to{};  // the last number of the last version, if it listed less than before
  DeltaUpdates deltas{};
  bool asked_to_skip = false;  // the last time
  /// By another playlist: the last part of this one. Until it is asked for.
  std::optional<HlsRendition::Part> reported{};

  Duration unheld_for{};  // after an answer that did not come; zero: the last held answer came
  UtcTime unheld_until{};

  bool is_played = true;  // by parts: those within a segment are looked for, too

  bool is_picture() const { return listed.track.kind == TrackKind::kVideo; }
  bool is_known() const { return !known.segments.empty(); }
  /// One that is left out, and does not grow, is asked for less often.
  UtcTime due() const;
  bool goes_by_parts() const { return is_there && is_known() && known.part_target > Duration{}; }
  /// The origin may hold its answer.
  bool is_held() const;
  /// The origin has held an answer for too long. For some time, longer each time, it is asked for what it has.
  void hold_in_vain(UtcTime now);
  /// The same where the next part is looked for.
  UtcTime part_due() const;
  /// The part that it is asked for: where it is not played, the first of its next segment.
  HlsRendition::Part wanted_part() const;
  /// Its address; by parts, that of an answer which has the next part, or which the origin holds until then (RFC 8216bis section
  /// 6.2.5.2). A playlist that is not played is asked for the first part of its next segment. One that is behind what is
  /// reported is asked for that: caches may keep old answers to what lies before.
  std::string address(UtcTime now) const;
  /// The origin has what is asked for already.
  bool is_answered_at_once() const;
  bool may_skip(UtcTime now) const { return failure.empty() && deltas.may_skip(now - fetched); }
  /// Whether a version is not a later or older one of what is known, but of an encoder that began anew: it names other
  /// files, its dates are later, it grows though it lists less than before, or its numbers jumped. To be asked once.
  bool began_anew(const hls::MediaPlaylist& version, UtcTime now);
  void grow(UtcTime now);
  void fail(const std::string& why, UtcTime sent);
  ListedTrack track() const;
  /// The same without parts: how it is cut.
  ListedTrack whole() const;

 private:
  bool is_behind() const;
};

/// The playlist by whose timeline others are placed: that of the first picture that is there. Null: none is known yet.
const FollowedPlaylist* reference(std::span<const FollowedPlaylist> playlists);

/// Leaves out playlists that cannot be followed while another picture goes on: after two target durations one that
/// cannot be had or read, after three one that does not grow. Takes one back when it grows up to where all others are, and
/// is cut as they are. Appends what it did, for people, to `notes`.
void leave_out_and_take_back(std::span<FollowedPlaylist> playlists, UtcTime now, std::vector<std::string>& notes);

}  // namespace tributary
