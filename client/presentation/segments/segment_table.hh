#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "presentation/presentation.hh"
#include "presentation/segments/size_estimates.hh"
#include "presentation/segments/sound_grid.hh"

namespace tributary {

/// One file, or range of a file, of a segment: its picture, its sound, or the init segment that a decoder needs first.
struct SegmentPart {
  std::size_t track = 0;  // index into Presentation::tracks
  bool init = false;
  Resource resource;
  SegmentIndex segment{};  // of the track; of an init segment: the first that needs it

  DataSize size() const { return resource.range.size(); }
  bool operator==(const SegmentPart&) const = default;
};

/// A segment of one track that comes into being while the presentation is live.
struct TrackSegment {
  DataSize size;
  std::uint64_t ticks = 0;
  bool estimated = false;                 // nobody has stated the size
  std::optional<std::uint32_t> track{};   // nothing: they are told in the order of the tracks
  SegmentPlace place{};                   // where the segments of the track have places
  std::optional<StretchStart> stretch{};  // if it begins one

  bool operator==(const TrackSegment&) const = default;
};

/// The part of a presentation that a session streams: one ladder of qualities and at most one sound, segment by
/// segment. For the core a segment is the sequence of its parts, sound first: it is small, and never switched with the
/// picture.
/// If the sound has a grid of its own (sound_grid.hh), a segment has any number of parts with sound.
class SegmentTable {
 public:
  /// The ladder is the group of the first picture (or plain bytes) track, ordered by average bitrate; the
  /// sound is the first audio track. At most `limit` segments. Throws std::invalid_argument if there is
  /// nothing to stream. It can grow as long as the presentation is not complete.
  explicit SegmentTable(Presentation presentation, std::optional<std::size_t> limit = std::nullopt);

  std::size_t segment_count() const { return segment_count_; }
  /// No segment will be added.
  bool complete() const { return complete_; }
  std::optional<std::size_t> limit() const { return limit_; }
  /// The next segment, as each track of the presentation has it. A sound with a grid of its own may have none, or
  /// several, which come with this segment or a later one. Once it is complete, nothing is added.
  void append(std::span<const TrackSegment> tracks);
  void end() { complete_ = true; }

  /// Tracks of the presentation, lowest quality first.
  const std::vector<std::size_t>& ladder() const { return ladder_; }
  std::optional<std::size_t> sound() const { return sound_; }
  /// From now on segments have this sound, which must be an audio track.
  void choose_sound(std::size_t track);
  /// From now on segments have no sound.
  void leave_out_sound();
  /// Another sound of the same language and coding; nothing if there is none. `not_these`: those that are no choice.
  std::optional<std::size_t> sound_like_this(std::span<const std::size_t> not_these) const;
  /// From now on the segment of this part comes without it. Returns how many segments of its track are lost in a row.
  std::size_t lose(const SegmentPart& part);
  std::size_t quality_count() const { return ladder_.size(); }
  QualityIndex highest_quality() const { return static_cast<QualityIndex>(ladder_.size() - 1); }
  const std::string& quality_name(QualityIndex quality) const { return track_of(quality).id; }
  std::optional<QualityIndex> find_quality(std::string_view name) const;
  /// The highest with no more lines (of a picture that stands upright, columns); the lowest if all have more.
  QualityIndex highest_within(int lines) const;
  DataRate bitrate(QualityIndex quality) const { return track_of(quality).bitrate.average; }

  Duration duration(SegmentIndex segment) const {
    const std::size_t behind = to_index(segment) + 1;
    return (behind < starts_.size() ? starts_[behind] : end_) - starts_[to_index(segment)];
  }
  /// When the segment starts on the presentation's timeline, from the first segment on.
  Duration starts_at(SegmentIndex segment) const { return starts_[to_index(segment)]; }
  /// When a segment of the ladder or of the sound starts on that timeline.
  Duration starts_at(std::size_t track, SegmentIndex of_track) const;
  /// Where the timeline ends, as far as it is known.
  Duration end() const { return end_; }
  /// The segment at this position of the timeline; the last one for positions beyond.
  SegmentIndex segment_at(Duration position) const;
  /// The segment from which on all of picture and sound at this position comes: that of the picture, or an earlier one
  /// where a longer segment of sound begins.
  SegmentIndex first_for(Duration position) const;
  /// Bytes of the segment in the quality, sound included, init not.
  DataSize size(SegmentIndex segment, QualityIndex quality) const;
  /// An answer has told the size of a part. Sizes of others that are estimates follow from it (size_estimates.hh).
  void learn_size(const SegmentPart& part, DataSize size);

  /// By how much the estimate of this part's size is probably off (SizeEstimates::error).
  double error_of_estimate(const SegmentPart& part) const;
  /// The same of pictures, if the size of the same scene is known in another quality, or is not.
  double error_of_estimates(bool same_scene) const { return estimates_.error(same_scene); }

  std::vector<SegmentPart> parts(SegmentIndex segment, QualityIndex quality) const;
  /// The parts that a decoder needs before this segment; empty if its tracks have no init.
  std::vector<SegmentPart> init_parts(SegmentIndex segment, QualityIndex quality) const;
  /// From this segment on, segments of one quality have the same init parts as `segment`.
  SegmentIndex stretch_begin(SegmentIndex segment) const;

  const Presentation& presentation() const { return presentation_; }

 private:
  const Track& track_of(QualityIndex quality) const { return presentation_.tracks[ladder_[to_index(quality)]]; }
  /// The segments of the sound that come with this one. A sound may end before the picture does.
  SoundGrid::Span sound_of(SegmentIndex segment) const;
  void lay_out_sound();
  /// The stretches of sound that come with this segment.
  std::vector<std::size_t> sound_stretches(SegmentIndex segment) const;
  /// The stretches of all qualities and of the sound that come with it.
  std::vector<std::size_t> stretches(SegmentIndex segment) const;
  /// Notes whether another stretch begins with this segment, which is not the first.
  void look_for_stretch(SegmentIndex segment);
  bool grows() const { return presentation_.live && !presentation_.complete; }
  void append(std::size_t track, const TrackSegment& segment);
  /// Its file is the same in all qualities, and says nothing of other sizes.
  bool is_same_in_all(SegmentIndex segment) const;
  /// All tracks with the scenes of this one.
  std::vector<std::size_t> ladder_with(std::size_t track) const;

  Presentation presentation_;
  std::vector<std::size_t> ladder_;  // track indices, lowest quality first
  std::optional<std::size_t> sound_;
  std::optional<std::size_t> limit_;
  bool complete_ = true;
  std::size_t segment_count_ = 0;
  std::vector<Duration> starts_;  // of the segments
  Duration end_{};                // of the last
  std::vector<SegmentIndex> stretch_begins_;
  std::optional<SoundGrid> sound_grid_;  // if the sound has one of its own
  SizeEstimates estimates_;
};

}  // namespace tributary
