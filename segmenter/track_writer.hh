#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "presentation/frame_index.hh"
#include "presentation/presentation.hh"
#include "segmenter/cmaf_reader.hh"
#include "segmenter/publication.hh"
#include "segmenter/temporary_file.hh"

namespace tributary::segmenter {

/// Publishes the files of one track and keeps the books about them: DIR/low/init.mp4, DIR/low/00001.m4s, ... or, in a
/// single file, DIR/low/media.mp4, which appears when the track is finished.
class TrackWriter {
 public:
  /// The track says everything but its codec, segments and measured rates; its id is its directory. `extension` is
  /// that of the segments. The publication must outlive the writer.
  TrackWriter(const Publication& publication, Track track, const std::string& extension);

  /// The track's codec is read from it.
  void write_init(std::span<const std::byte> content);
  /// The next segment, which lasts that many ticks.
  void write_segment(std::span<const std::byte> content, std::uint64_t ticks);
  std::size_t segments() const { return track_.sizes.size(); }

  /// The track with its segments and measured bitrate, for the index; a target that is not known is the average. There
  /// must be a segment, and none can follow.
  Track finish();

 private:
  bool wants_frames() const { return publication_.layout().frame_index && track_.kind == TrackKind::kVideo; }
  void add_frames(std::span<const std::byte> segment);
  /// Init segment and index before the segments, whose number is known only now.
  void finish_single_file();

  const Publication& publication_;
  Track track_;
  InitFacts facts_;
  std::vector<std::byte> init_;            // in a single file
  std::optional<TemporaryFile> segments_;  // of a single file, until it is finished
  FrameIndex frames_;
};

}  // namespace tributary::segmenter
