#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "presentation/resource.hh"
#include "presentation/side_files.hh"
#include "presentation/thumbnail_sheets.hh"
#include "presentation/track_parts.hh"
#include "presentation/track_role.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"
#include "units/text/color_codes.hh"
#include "units/utc_time.hh"

namespace tributary {

enum class TrackKind {
  kVideo,
  kAudio,
  kText,
  kData,  // plain bytes, for benchmarks; nothing decodes them
};

/// "video", "audio", "text", "data".
std::string_view to_string(TrackKind kind);
std::optional<TrackKind> track_kind_from(std::string_view text);

/// Where a segment is that no pattern finds.
struct SegmentPlace {
  std::string uri;                // relative to the manifest, or absolute
  std::optional<DataSize> begin;  // within the file; nothing: the segment is the whole file
  std::optional<Cipher> cipher{};

  bool operator==(const SegmentPlace&) const = default;
};

struct TrackBitrate {
  DataRate target;   // asked of the encoder
  DataRate maximum;  // the largest segment
  DataRate average;
  DataRate peak;  // over 0.5 to 1.5 target durations, as HLS defines BANDWIDTH

  bool operator==(const TrackBitrate&) const = default;
};

/// Likeness of a picture to its source, a figure for each segment; empty if not measured.
struct PictureMetrics {
  std::vector<int> psnr;  // in hundredths of a decibel
  std::vector<int> ssim;  // in ten-thousandths

  bool operator==(const PictureMetrics&) const = default;
};

/// How media go on otherwise than before.
struct StretchStart {
  std::optional<Resource> init;  // needed by a decoder before them
  std::int64_t offset = 0;       // ticks by which their timestamps are shifted

  bool operator==(const StretchStart&) const = default;
};

/// A part of a track whose media go on otherwise than before: a later period of an MPD, what follows a discontinuity in
/// HLS.
struct Stretch {
  SegmentIndex first{};          // its first segment, of the track
  std::optional<Resource> init;  // needed by a decoder before it
  std::int64_t offset = 0;       // ticks by which its timestamps are shifted

  bool operator==(const Stretch&) const = default;
};

/// One encoding of one picture, sound or text: for pictures, one quality of the ladder.
struct Track {
  std::string id;  // also its directory: "low", "audio"
  TrackKind kind = TrackKind::kVideo;
  std::string group;  // tracks of one group can be switched between at any segment that does not continue another
  std::string codec;  // RFC 6381
  std::string mime;
  std::uint32_t timescale = 1;  // ticks per second
  std::int64_t offset = 0;      // ticks by which every timestamp is shifted (equal in time for all tracks), see Stretch
  int width = 0, height = 0;    // pictures
  int frame_rate_num = 0, frame_rate_den = 1;
  std::optional<ColorCodes> color;    // of pictures; nothing: not stated
  int sample_rate = 0, channels = 0;  // sound
  TrackLabel label;                   // sound and text
  TrackBitrate bitrate;
  std::optional<Resource> init;          // needed by a decoder before the first segment
  std::string uri;                       // "low/{n:05}.m4s"; {n} is the segment number
  std::uint64_t first_number = 1;        // the number of segment 0
  std::uint64_t start = 0;               // ticks of segment 0
  std::vector<std::uint64_t> durations;  // ticks, one a segment
  std::vector<DataSize> sizes;           // one a segment
  std::vector<bool> estimated;           // empty: all sizes are exact; or whether each one is an estimate
  std::vector<bool> continues;           // empty: none; or whether a segment needs the one before (does_continue)
  std::vector<FilePiece> pieces;  // empty: none; or one a segment, of which those with a count of 1 are whole files
  std::vector<DataSize> file_offsets;  // empty, or one a segment where all segments are in one file
  std::vector<SegmentPlace> places;    // empty, or one a segment where neither `uri` nor `file_offsets` tell
  std::vector<Stretch> stretches;      // behind the first, which is the track's own `init` and `offset`
  std::optional<std::string> frames;   // file that says where the frames of each segment are (frame_index.hh)
  PictureMetrics metrics;              // pictures
  std::optional<TrackParts> parts;     // of a live track with low latency
  std::optional<std::string> whole;    // text: one file with all cues, whose times are without `offset`
  SideFiles text;                      // text of another's manifest, which has no segments here
  std::string captions;                // text within the pictures (CTA-608): "CC1", "CC3"; empty: another text

  /// The name of the segment with that number, which need not be listed.
  std::string segment_uri(std::uint64_t number) const;
  /// Where the segment is. The index must be below sizes.size().
  Resource segment(SegmentIndex index) const;
  bool is_estimate(SegmentIndex index) const { return !estimated.empty() && estimated[to_index(index)]; }
  /// The segment is decoded behind the one before it, in the same quality only: it is a partial segment (EXT-X-PART, a CMAF
  /// chunk), and not the first of its group of pictures.
  bool does_continue(SegmentIndex index) const { return !continues.empty() && continues[to_index(index)]; }
  /// The segment is this piece of a file. Nothing: it is a whole file, or a range.
  std::optional<FilePiece> piece(SegmentIndex index) const;
  Duration duration(SegmentIndex index) const;
  /// The number of the stretch that the segment is in. Zero is the first, stretches[0] is one.
  std::size_t stretch_of(SegmentIndex segment) const;
  const std::optional<Resource>& init_of(std::size_t stretch) const {
    return stretch == 0 ? init : stretches[stretch - 1].init;
  }
  std::int64_t offset_of(std::size_t stretch) const { return stretch == 0 ? offset : stretches[stretch - 1].offset; }
  SegmentIndex first_of(std::size_t stretch) const {
    return stretch == 0 ? SegmentIndex{} : stretches[stretch - 1].first;
  }
  /// The next segment, which is not known yet, begins a stretch.
  void begin_stretch(StretchStart how);

  bool operator==(const Track&) const = default;
};

/// Place of a live presentation on the calendar, and its window at the origin. Segment i is there from
/// availability_start + its end on the timeline on, later by the time for encoding and publishing.
struct LiveWindow {
  UtcTime availability_start;       // zero of the timeline; never changes
  std::uint32_t segments = 1;       // listed at the most; older ones leave the index
  std::uint32_t kept = 0;           // files that stay for a while after they have left it
  std::uint32_t interruptions = 0;  // of the timeline, before the first listed segment: the encoder was started anew
  std::chrono::milliseconds stretch_start{};  // on the timeline; where it went on after the last of them

  bool operator==(const LiveWindow&) const = default;
};

/// A part of a title that has a beginning and a name.
struct Chapter {
  Duration start{};  // from the beginning of the title
  std::string name;  // may be empty

  bool operator==(const Chapter&) const = default;
};

/// One title: its tracks and their segments, as its manifest states them. Tracks of one group have the same number of
/// segments, and segment i of one is the same stretch of the title as segment i of another. Texts of others' manifests
/// are the last tracks, and have no segments.
struct Presentation {
  std::optional<LiveWindow> live;  // segments are (or were) added while it is watched, and the oldest leave
  bool complete = true;            // no segment will be added
  std::string title;               // for people, as its author wrote it; empty: not stated
  std::vector<Chapter> chapters;   // by their starts, of an index
  std::string generator;
  double nominal_segment_seconds = 2;
  std::optional<std::string> hls, dash;  // manifests beside the index
  std::vector<Track> tracks;
  /// Nobody states at which time of the media a stretch begins: its first segment that comes tells.
  bool times_are_measured = false;
  /// Sound is cut at other places than the picture. Else all tracks have the same number of segments, and segment i is
  /// the same stretch of the title in all of them.
  bool own_grids = false;
  bool in_parts = false;  // live: its segments are partial ones, as far as they are told (low latency)
  std::optional<Duration> suggested_delay;  // live: how far behind the last segment its author would play
  SideFiles thumbnails;                     // small pictures of the title
  std::optional<ThumbnailSheets> sheets;    // the same, of an index

  const Track* find_track(std::string_view id) const;
  /// Of the last segment of the picture; there must be one.
  Duration last_duration() const;
  /// The same with its last `count` segments only, or all if there are fewer, and those before that the first of them
  /// continues. Of a sound with a grid of its own, with
  /// what ends behind the beginning of the first of them.
  Presentation last_segments(std::size_t count) const;

  bool operator==(const Presentation&) const = default;
};

/// The same for decisions: the files are without addresses, which may hold secrets, and times within media are left out.
/// Without what sessions do not know: texts of others' manifests, thumbnails, parts.
Presentation without_addresses(Presentation presentation);

}  // namespace tributary
