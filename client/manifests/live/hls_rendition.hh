#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hls/media_playlist.hh"
#include "manifests/from_hls/hls_keys.hh"
#include "manifests/listed_track.hh"
#include "presentation/presentation.hh"

namespace tributary {

inline constexpr std::uint32_t kHlsTimescale = 90'000;  // as MPEG-2 transport streams count

std::int64_t hls_ticks(Duration time);
/// The text behind "?" of an address, without a fragment.
std::string hls_query(const std::string& url);

/// A version of a media playlist. Its keys are known.
struct KnownPlaylist {
  const hls::MediaPlaylist& playlist;  // with a segment at least
  const std::string& url;
  const HlsKeys& keys;
};

/// A media playlist that goes on, on the timeline of its title: ticks of kHlsTimescale from the first segment of the
/// title's first playlist.
///
/// A segment that was listed in parts stays so, with all parts that any version listed. If no version listed the end of it, a
/// part without an address stands there: that part is lost.
///
/// Within a playlist, segments are joined by their media sequence numbers; a discontinuity, or another init section,
/// begins a stretch. Beside the first playlist, segments are placed by EXT-X-PROGRAM-DATE-TIME; without it, by a
/// discontinuity that both list; else by equal sequence numbers of equal segments, as long as both playlists then end
/// alike; else by their ends.
struct HlsRendition {
  struct Beginning {
    StretchStart how;
    std::uint64_t discontinuity = 0;  // its sequence number
  };
  std::uint64_t first = 0;              // sequence number of the first segment
  std::vector<ListedSegment> segments;  // as the playlist lists them now
  std::map<std::uint32_t, Beginning> stretches;
  std::set<std::int64_t> breaks;     // where stretches begin, but for the first segment
  std::string init;                  // its name, of the last segment
  std::optional<UtcTime> zero_date;  // of the zero of the timeline, by the first date of the title's first playlist
  std::int64_t date_shift = 0;       // ticks from the time that dates tell to that of the title, behind the last break
  Duration target{};                 // how long until the playlist has probably grown
  bool by_parts = false;   // it is followed part by part, where its segments are in the clear and have an init section
  Duration part_target{};  // of its partial segments; zero: it has none that can be followed
  bool can_block = false;  // a request may be held by the origin until the next part is there
  int begun = 0;           // how often; playlists with the same number go together
  bool ended = false;

  /// Begins, also anew, with all that is listed now. `beside`: a playlist that has begun already; null: it is the first
  /// one, and its first segment is at `start`.
  void begin(const KnownPlaylist& now, const HlsRendition* beside, std::int64_t start = 0);
  /// Adds what a later version lists, and drops what it does not list any more. An older version, which a cache may give
  /// out, changes nothing.
  void go_on(const KnownPlaylist& now, const HlsRendition* beside);

  /// All that is listed, in order: segments, and in the place of those that were listed in parts, these.
  std::vector<ListedSegment> all() const;
  struct Part {
    std::uint64_t segment = 0;  // sequence number
    std::size_t part = 0;       // counted from 0
    auto operator<=>(const Part&) const = default;
  };
  /// Where the first segment that is listed in parts begins. Without one, the end of those that are whole.
  std::int64_t parts_begin() const;
  /// Segments before that are listed whole.
  void list_whole_before(std::int64_t start);
  /// The first that is not known, by parts.
  Part next_part() const;
  /// The version lists a part or a segment that is not known.
  bool grows_by(const hls::MediaPlaylist& playlist) const;

  /// Where the first segment is by its date, if it has one, on the timeline so far.
  std::optional<std::int64_t> dated(const hls::MediaSegment& segment) const;
  /// Of the segments that both list by their numbers, one has another name.
  bool names_other_files(const hls::MediaPlaylist& playlist) const;
  std::uint64_t next_number() const { return first + segments.size(); }
  std::int64_t end() const { return segments.back().start + segments.back().duration; }
  bool begins_stretch(std::size_t segment) const {
    return segment > 0 && segments[segment].stretch != segments[segment - 1].stretch;
  }

 private:
  struct Expected {
    std::int64_t start = 0;
    std::int64_t tolerance = 0;  // by which a date may tell another time
  };
  /// The segment that is being made.
  struct Open {
    std::uint64_t sequence = 0;
    ListedSegment placed;  // without an address
  };
  void take_control(const hls::MediaPlaylist& playlist);
  void append(const KnownPlaylist& now, std::size_t segment, Expected expected, const HlsRendition* beside);
  void take_open(const KnownPlaylist& now, const HlsRendition* beside);
  ListedSegment place(const KnownPlaylist& now, const hls::MediaSegment& segment, const hls::MediaSegment* before,
                      Expected expected, const HlsRendition* beside);
  void take_parts(const KnownPlaylist& now, const hls::MediaSegment& segment, const ListedSegment& placed);
  void end_parts(std::uint64_t sequence);
  void drop_before_first();

  std::map<std::uint64_t, std::vector<ListedSegment>> parts_;  // by the sequence numbers of their segments
  std::optional<Open> open_;
  std::int64_t first_start(const hls::MediaPlaylist& playlist, const HlsRendition& beside) const;
};

}  // namespace tributary
