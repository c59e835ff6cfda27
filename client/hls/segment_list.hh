#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hls/lines/playlist_lines.hh"
#include "hls/media_playlist.hh"

namespace tributary::hls {

/// Puts the segments of a media playlist together: what stands before an address is of its segment, and some of that is
/// in force until it is replaced. Every function but finish() may throw PlaylistError with the place of `line`.
class SegmentList {
 public:
  /// Fills the keys, maps and segments of `playlist`, which must live longer.
  explicit SegmentList(MediaPlaylist& playlist) : playlist_{playlist} {}

  // For the next segment.
  /// Nothing: one that cannot be read. The segment then lasts as long as the playlist says that segments do.
  void set_duration(std::optional<Duration> duration) { duration_ = duration; }
  void set_range(StatedRange range) { range_ = range; }
  void set_gap() { gap_ = true; }
  /// It ends where its segment does, or is of one that is still being made.
  void add_part(PartialSegment part, std::optional<StatedRange> range, const PlaylistLine& line);
  /// Nothing: a date that cannot be read. No segment has a date then, until one is stated again.
  void set_date(std::optional<UtcTime> date);

  // From the next segment on.
  void set_map(InitSection map, const PlaylistLine& line);
  /// Nothing: from there on, nothing is encrypted. A key replaces that of the same format.
  void set_key(std::optional<EncryptionKey> key, const PlaylistLine& line);
  void set_bitrate(std::optional<DataRate> bitrate) { bitrate_ = bitrate; }
  void set_tiles(std::optional<Tiles> tiles) { tiles_ = tiles; }
  void count_discontinuity() { ++discontinuities_; }

  /// The first `count` segments are those that `before` lists from the number `first` on. What was in force behind them is
  /// in force again.
  void skip(std::size_t count, std::uint64_t first, const MediaPlaylist& before, const PlaylistLine& line);
  /// The segment itself.
  void add(std::string uri, const PlaylistLine& line);

  /// Numbers the segments, completes their durations, and makes a segment of the parts behind the last one. To be called once, at the end: the numbers may be stated behind the first segment.
  void finish(std::uint64_t media_sequence, std::uint64_t discontinuity_sequence,
              std::optional<Duration> target_duration);

 private:
  MediaSegment begin_segment(Duration duration) const;
  bool segment_has_begun() const { return duration_ || range_ || gap_ || !parts_.empty(); }
  void go_on_behind(const MediaSegment& last, const PlaylistLine& line);
  std::optional<std::size_t> key_to_use() const;
  std::optional<ByteRange> next_range(const std::string& uri, const PlaylistLine& line) const;
  std::optional<UtcTime> next_date() const;

  MediaPlaylist& playlist_;
  // of the next segment
  std::optional<Duration> duration_;
  std::optional<StatedRange> range_;
  bool gap_ = false;
  std::vector<PartialSegment> parts_;
  // in force
  std::optional<std::size_t> map_;
  std::vector<std::size_t> keys_;  // one a format
  std::optional<DataRate> bitrate_;
  std::optional<Tiles> tiles_;
  std::optional<UtcTime> date_;  // the last one stated
  Duration since_date_{};        // durations of the segments since
  std::uint64_t discontinuities_ = 0;
  Duration total_{};
  std::size_t part_count_ = 0;
  std::optional<PartialSegment> last_part_;
  std::vector<std::size_t> unknown_;  // segments whose durations are not stated
};

}  // namespace tributary::hls
