#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "manifests/listed_track.hh"
#include "manifests/manifest_files.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary {

/// A track as a live manifest lists it at a moment.
struct ListedTrack {
  Track track;                          // all but its segments and stretches
  std::vector<ListedSegment> segments;  // starts count from the zero of the title; without an address: it is lost
  std::map<std::uint32_t, StretchStart> stretches{};  // by the numbers that segments state
  bool is_there = true;                               // false: it cannot be followed, and nobody waits for it
  bool is_played = true;  // false: segments that continue others (Track::does_continue) may be listed later
};

/// A live title at a moment.
struct Listing {
  std::vector<ListedTrack> tracks;  // the qualities of the picture and the sounds: always the same, in the same order
  std::vector<Track> texts;         // of MPDs, with the files that are listed: always the same, in the same order
  SideFiles thumbnails;             // of MPDs; without a stretch: there are none
  Duration window_begin{};          // on the title's timeline: what ends there or earlier is gone
  bool complete = false;            // no segment will be added
  std::optional<UtcTime> next;      // when a further one is there by the clock alone
};

/// An MPD, or media playlists, of a title that goes on. Decides which files are fetched again, and when. Knows no
/// clock: `now` is always the time at the origin, and never goes back.
class LiveManifest {
 public:
  virtual ~LiveManifest() = default;

  /// Segments that end at `after` or earlier may be left out. Throws ManifestError if the title cannot be played on.
  virtual Listing list(UtcTime now, Duration after) = 0;
  /// The files to be fetched together now.
  virtual std::vector<WantedFile> due(UtcTime now) = 0;
  /// When the next ones are due; nothing: no file is needed.
  virtual std::optional<UtcTime> next_due() const = 0;
  /// These tracks are played, by their places in a listing: all of their partial segments are needed as soon as they are there.
  /// True: files of a track that joins them are due, though others may still be waited for.
  virtual bool play(const std::vector<std::size_t>& /*tracks*/) { return false; }
  /// For how long the origin may hold an answer until it has something new.
  virtual Duration held() const { return {}; }
  /// An answer that takes longer is better asked for over another link, too. Nothing: it may take its time.
  virtual std::optional<Duration> overdue_after() const { return std::nullopt; }
  /// What was asked for last has not been answered for longer than the origin may hold it.
  virtual void held_in_vain(UtcTime /*now*/) {}
  /// A segment that was listed is not there: the manifest may have changed.
  virtual void look_again() {}
  /// The files that were due when they were asked for last, in that order; asked for at `sent`. Any of them may have
  /// failed. Throws UnreadableForNow if one has to be asked for again soon, and ManifestError if the title cannot be
  /// played on. What could be read counts all the same.
  virtual void take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) = 0;
  /// What happened since the last call, one line each, for people.
  virtual std::vector<std::string> notes() { return {}; }
};

/// A file that is no manifest at the moment; it may be written to.
class UnreadableForNow : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Why segments of `track` cannot stand in place of those of `other`, another quality of the same scenes. Nothing if they
/// can. Either may list segments before or behind those of the other.
std::optional<std::string> why_not_switchable(const ListedTrack& track, const ListedTrack& other);

}  // namespace tributary
