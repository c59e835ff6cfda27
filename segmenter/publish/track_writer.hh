#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "media/cmaf_reader.hh"
#include "presentation/frame_index.hh"
#include "presentation/presentation.hh"
#include "segmenter/publish/publication.hh"
#include "segmenter/publish/temporary_file.hh"

namespace tributary::segmenter {

/// A segment that is in its place.
struct WrittenSegment {
  std::string track;
  std::uint64_t number = 1;
  DataSize size;
  std::uint64_t ticks = 0;  // that it lasts
  double seconds = 0;       // likewise
};

/// Is told of each segment of a track, in the thread that has put it there.
class SegmentListener {
 public:
  virtual ~SegmentListener() = default;
  virtual void segment_written(const WrittenSegment& segment) = 0;
  /// What was measured of the next segments, before the last of them is written.
  virtual void segments_measured(const std::string& /*track*/, const PictureMetrics& /*metrics*/) {}
};

/// Where the files of the tracks go, and where their numbers and their timeline begin. What it refers to must outlive
/// whoever is given it.
struct TrackDestination {
  const Publication& publication;
  std::uint64_t first_number = 1;
  Duration start{};
  SegmentListener* listener = nullptr;
};

/// Publishes the files of one track and keeps the books about them: DIR/low/init.mp4, DIR/low/00001.m4s, ... or, in a
/// single file, DIR/low/media.mp4, which appears when the track is finished.
class TrackWriter {
 public:
  /// The track says everything but its codec, segments and measured rates; its id is its directory. `extension` is
  /// that of the segments.
  TrackWriter(const TrackDestination& destination, Track track, const std::string& extension);

  /// The track's codec and colours are read from it.
  void write_init(std::span<const std::byte> content);
  /// Ticks of the timeline at which the first segment starts.
  std::uint64_t start() const { return track_.start; }
  /// The next segment, which lasts that many ticks.
  void write_segment(std::span<const std::byte> content, std::uint64_t ticks);
  /// The next segment likewise, for the index only: no file is written.
  void count_segment(DataSize size, std::uint64_t ticks);
  void add_metrics(const PictureMetrics& metrics);
  std::size_t segments() const { return track_.sizes.size(); }

  /// The track without segments, its rates as they usually come out.
  Track describe() const;
  /// The track with its segments and measured bitrate, for the index; a target that is not known is the average. No
  /// segment can follow. Without a segment, there is no bitrate either.
  Track finish();

 private:
  bool wants_frames() const {
    return destination_.publication.layout().frame_index && track_.kind == TrackKind::kVideo;
  }
  void add_frames(std::span<const std::byte> segment);
  /// Init segment and index before the segments, whose number is known only now.
  void finish_single_file();

  TrackDestination destination_;
  Track track_;
  InitFacts facts_;
  std::vector<std::byte> init_;            // in a single file
  std::optional<TemporaryFile> segments_;  // of a single file, until it is finished
  FrameIndex frames_;
};

}  // namespace tributary::segmenter
