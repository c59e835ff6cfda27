#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "media/cmaf_reader.hh"
#include "presentation/json/frame_index.hh"
#include "presentation/presentation.hh"
#include "segmenter/publish/publication.hh"
#include "segmenter/publish/temporary_file.hh"

namespace tributary::segmenter {

/// A segment that is in its place.
struct WrittenSegment {
  std::string track;
  std::uint64_t number = 1;
  DataSize size;
  std::uint64_t ticks = 0;  // duration
  double seconds = 0;       // duration
};

/// A part that is in its place.
struct WrittenPart {
  std::string track;
  std::uint64_t segment = 1;  // its number
  std::size_t index = 0;      // of the part in the segment
  LivePart part;
};

/// Is told of each segment of a track, in the thread that has published the segment.
class SegmentListener {
 public:
  virtual ~SegmentListener() = default;
  virtual void segment_written(const WrittenSegment& segment) = 0;
  /// All parts of a segment are told before the segment.
  virtual void part_written(const WrittenPart& /*part*/) {}
  /// Figures of the next segments, told before the last of them is written.
  virtual void segments_measured(const std::string& /*track*/, const PictureMetrics& /*metrics*/) {}
};

/// The place for the files of the tracks, and the beginning of their numbers and timeline. `publication` and `listener`
/// must outlive the writers that get the destination.
struct TrackDestination {
  const Publication& publication;
  std::uint64_t first_number = 1;
  Duration start{};
  SegmentListener* listener = nullptr;
  std::optional<UtcTime> zero = std::nullopt;  // of the timeline; chunks state when they were made if it is there
};

/// Publishes the files of one track and keeps the books about them: DIR/low/init.mp4, DIR/low/00001.m4s, ... A single
/// file, DIR/low/media.mp4, appears when the track is finished. Parts, DIR/low/00001.1.m4s, come before their segment.
class TrackWriter {
 public:
  /// `track` has all but its codec, segments and measured rates; its id is its directory. If it is to have parts, it
  /// states their longest duration. `extension`: that of the segments.
  TrackWriter(const TrackDestination& destination, Track track, const std::string& extension);

  /// Publishes the init segment, and reads the track's codec and colours from it.
  void write_init(std::span<const std::byte> content);
  /// Ticks of the timeline at which the first segment starts.
  std::uint64_t start() const { return track_.start; }
  /// Publishes the next part of the next segment.
  void write_part(std::span<const std::byte> content, std::uint64_t ticks, bool independent);
  /// Publishes the next segment, which lasts `ticks`.
  void write_segment(std::span<const std::byte> content, std::uint64_t ticks);
  /// Enters the next segment for the index, without a file.
  void count_segment(DataSize size, std::uint64_t ticks);
  void add_metrics(const PictureMetrics& metrics);
  std::size_t segments() const { return track_.sizes.size(); }

  /// The track without segments, with the rates that usually result.
  Track describe() const;
  /// The track with its segments and measured bitrate, for the index; an unknown target becomes the average. No segment
  /// may follow. A track without segments has no bitrate.
  Track finish();

 private:
  bool wants_frames() const {
    return destination_.publication.layout().frame_index && track_.kind == TrackKind::kVideo;
  }
  void add_frames(std::span<const std::byte> segment);
  /// Writes init segment and index before the segments, because only now their number is known.
  void finish_single_file();

  TrackDestination destination_;
  Track track_;
  InitFacts facts_;
  std::vector<std::byte> init_;            // for a single file
  std::optional<TemporaryFile> segments_;  // for a single file, until it is finished
  std::size_t parts_ = 0;                  // of the next segment, so far
  FrameIndex frames_;
};

}  // namespace tributary::segmenter
