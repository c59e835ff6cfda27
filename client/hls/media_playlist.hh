#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hls/encryption_key.hh"
#include "hls/lines/playlist_start.hh"
#include "hls/lines/playlist_values.hh"
#include "units/byte_range.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::hls {

/// What a decoder needs before the first segment that refers to it (EXT-X-MAP).
struct InitSection {
  std::string uri;                 // as written
  std::optional<ByteRange> range;  // nothing: the whole file
  std::optional<std::size_t> key;  // in MediaPlaylist::keys; a plain AES-128 key has a vector then

  bool operator==(const InitSection&) const = default;
};

/// Thumbnails in one picture, row by row (EXT-X-TILES).
struct Tiles {
  Extent resolution;    // of one thumbnail
  Extent layout;        // columns and rows
  Duration duration{};  // of one thumbnail

  bool operator==(const Tiles&) const = default;
};

/// A bit of a segment that is published by itself, while the segment is made and for some time after (EXT-X-PART).
struct PartialSegment {
  std::string uri;                 // as written
  std::optional<ByteRange> range;  // nothing: the whole file
  Duration duration{};
  bool independent = false;  // it begins with a picture that needs no other
  bool gap = false;          // the file is not there

  bool operator==(const PartialSegment&) const = default;
};

/// A partial segment that is being made, and may be asked for already (EXT-X-PRELOAD-HINT).
struct PreloadHint {
  std::string uri;  // as written
  DataSize begin;
  std::optional<DataSize> length;  // nothing: it is not known yet

  bool operator==(const PreloadHint&) const = default;
};

/// How far another playlist of the title has come (EXT-X-RENDITION-REPORT).
struct RenditionReport {
  std::string uri;                         // as written
  std::uint64_t last_segment = 0;          // sequence number; of the one that is being made, if a part of it is there
  std::optional<std::uint64_t> last_part;  // of that segment, counted from 0; nothing: the segment is whole

  bool operator==(const RenditionReport&) const = default;
};

struct MediaSegment {
  std::string uri;                  // as written; empty: of MediaPlaylist::open
  std::optional<ByteRange> range;   // nothing: the whole file
  Duration duration{};              // may be zero
  std::uint64_t sequence = 0;       // media sequence number
  std::uint64_t discontinuity = 0;  // discontinuity sequence number: timestamps go on where it is equal
  std::optional<std::size_t> map;   // in MediaPlaylist::maps
  std::optional<std::size_t> key;   // in MediaPlaylist::keys; of several in force, the one that we can use
  std::optional<UtcTime> date;      // of its first sample: stated, or the last one stated and the durations since
  Duration since_date{};            // from the date that was stated last to `date`
  std::optional<DataRate> bitrate;  // EXT-X-BITRATE, where it applies
  bool gap = false;                 // the file is not there
  std::optional<Tiles> tiles;
  std::vector<PartialSegment> parts;  // of newer segments only

  bool operator==(const MediaSegment&) const = default;
};

enum class PlaylistType {
  kSliding,  // not stated: segments may leave
  kEvent,    // segments are only added
  kVod,
};

/// EXT-X-SERVER-CONTROL and EXT-X-PART-INF.
struct ServerControl {
  bool can_block_reload = false;
  std::optional<Duration> hold_back, part_hold_back, can_skip_until;
  std::optional<Duration> part_target;

  bool operator==(const ServerControl&) const = default;
};

/// RFC 8216 sections 4.3.2 and 4.3.3, and their successors.
struct MediaPlaylist {
  Duration target_duration{};  // as stated; else that of the longest segment
  PlaylistType type = PlaylistType::kSliding;
  bool ended = false;  // EXT-X-ENDLIST: no segment will be added
  bool i_frames_only = false, images_only = false, independent_segments = false;
  std::uint64_t media_sequence = 0;          // of the first segment
  std::uint64_t discontinuity_sequence = 0;  // before the first EXT-X-DISCONTINUITY
  std::optional<PlaylistStart> start;
  ServerControl server_control;
  std::vector<InitSection> maps;
  std::vector<EncryptionKey> keys;  // of all formats
  std::vector<MediaSegment> segments;
  std::size_t skipped = 0;           // of these: the first ones, which are those of an earlier version (EXT-X-SKIP)
  std::optional<MediaSegment> open;  // the segment behind them, of which only parts are there
  std::optional<PreloadHint> preload_hint;  // the part behind all of these
  std::vector<RenditionReport> reports;

  bool operator==(const MediaPlaylist&) const = default;
};

}  // namespace tributary::hls
