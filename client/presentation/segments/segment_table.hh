#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "presentation/presentation.hh"
#include "presentation/segments/quality_ladder.hh"
#include "presentation/segments/segment_grid.hh"
#include "presentation/segments/segment_part.hh"
#include "presentation/segments/size_estimates.hh"
#include "presentation/segments/track_growth.hh"

namespace tributary {

/// The part of a presentation that a session streams: one ladder of qualities and at most one sound, segment by
/// segment. For the core a segment is the sequence of its parts, sound first: it is small, and never switched with the
/// picture.
/// If the sound has a grid of its own (sound_grid.hh), a segment has any number of parts with sound.
class SegmentTable {
 public:
  /// The first ladder of the presentation, and its first audio track. At most `limit` segments. Throws
  /// std::invalid_argument if there is nothing to stream. It can grow as long as the presentation is not complete.
  explicit SegmentTable(Presentation presentation, std::optional<std::size_t> limit = std::nullopt);

  const Presentation& presentation() const { return presentation_; }
  const QualityLadder& qualities() const { return qualities_; }
  const SegmentGrid& grid() const { return grid_; }
  const SizeEstimates& estimates() const { return estimates_; }

  // ---- Growth

  std::size_t segment_count() const { return grid_.count(); }
  /// No segment will be added.
  bool complete() const { return complete_; }
  std::optional<std::size_t> limit() const { return limit_; }
  /// The next segment, as each track of the presentation has it. A sound with a grid of its own may have none, or
  /// several, which come with this segment or a later one. Once it is complete, nothing is added.
  void append(std::span<const TrackSegment> tracks);
  void end() { complete_ = true; }

  // ---- Tracks

  /// Tracks of the presentation, lowest quality first.
  const std::vector<std::size_t>& ladder() const { return qualities_.tracks(); }
  std::size_t quality_count() const { return qualities_.count(); }
  QualityIndex highest_quality() const { return qualities_.highest(); }
  const std::string& quality_name(QualityIndex quality) const { return qualities_.name(quality); }
  DataRate bitrate(QualityIndex quality) const { return qualities_.bitrate(quality); }
  std::optional<std::size_t> sound() const { return sound_; }
  /// From now on segments have this sound, which must be an audio track; nothing: none.
  void choose_sound(std::optional<std::size_t> track);

  // ---- Segments

  /// Some are pieces of files that grow.
  bool has_pieces() const {
    return std::ranges::any_of(presentation_.tracks, [](const Track& t) { return !t.pieces.empty(); });
  }

  /// The segment can only follow the one before it, in the same quality (Track::does_continue).
  bool continues(SegmentIndex segment) const;
  /// The segment, or the last before it that does not continue another: playout can begin there.
  SegmentIndex switch_point(SegmentIndex segment) const;
  Duration duration(SegmentIndex segment) const { return grid_.duration(segment); }
  Duration starts_at(SegmentIndex segment) const { return grid_.starts_at(segment); }
  /// When a segment of the ladder or of the sound starts.
  Duration starts_at(std::size_t track, SegmentIndex of_track) const;
  /// Bytes of the segment in the quality, sound included, init not.
  DataSize size(SegmentIndex segment, QualityIndex quality) const;
  std::vector<SegmentPart> parts(SegmentIndex segment, QualityIndex quality) const;
  /// The parts that a decoder needs before this segment; empty if its tracks have no init.
  std::vector<SegmentPart> init_parts(SegmentIndex segment, QualityIndex quality) const;
  /// From this segment on, segments of one quality have the same init parts as `segment`.
  SegmentIndex stretch_begin(SegmentIndex segment) const;
  /// An answer has told the size of a part. Sizes of others that are estimates follow from it (size_estimates.hh).
  void learn_size(const SegmentPart& part, DataSize size);
  /// By how much the estimate of this part's size is probably off (SizeEstimates::error).
  double error_of_estimate(const SegmentPart& part) const;
  /// From now on the segment of this part comes without it. Returns how many segments of its track are lost in a row.
  std::size_t lose(const SegmentPart& part) { return tributary::lose(presentation_.tracks[part.track], part.segment); }

 private:
  const Track& picture() const { return presentation_.tracks[ladder().front()]; }
  bool grows() const { return presentation_.live && !presentation_.complete; }
  SoundGrid::Span sound_of(SegmentIndex segment) const;
  /// The stretches of sound that come with this segment.
  std::vector<std::size_t> sound_stretches(SegmentIndex segment) const;
  /// The stretches of all qualities and of the sound that come with it.
  std::vector<std::size_t> stretches(SegmentIndex segment) const;
  /// Notes whether another stretch begins with this segment, which is not the first.
  void look_for_stretch(SegmentIndex segment);
  /// All tracks with the scenes of this one.
  std::vector<std::size_t> ladder_with(std::size_t track) const;

  Presentation presentation_;
  QualityLadder qualities_;
  std::optional<std::size_t> sound_;
  std::optional<std::size_t> limit_;
  bool complete_ = true;
  SegmentGrid grid_;
  std::vector<SegmentIndex> stretch_begins_;
  SizeEstimates estimates_;
};

}  // namespace tributary
