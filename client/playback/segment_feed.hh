#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "playback/segment_cache.hh"
#include "playback/stream.hh"
#include "presentation/segments/segment_table.hh"
#include "sink/segment_sink.hh"

namespace tributary {

/// Gives complete segments to the listener of a stream without copying bytes, and keeps some of them for seeks.
class SegmentFeed : public SegmentSink {
 public:
  /// Table and listener must outlive the feed.
  SegmentFeed(const SegmentTable& table, StreamListener& listener, DataSize cache)
      : table_{table}, listener_{listener}, cache_{cache} {}

  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  /// Such a segment is kept once it has come whole.
  void take_frames(SegmentIndex segment, std::vector<MediaPart> parts, bool first) override;
  void came_whole(SegmentIndex segment, std::vector<MediaPart> parts) override;

  /// The cached segments from `first` on, without a gap, with this sound.
  std::vector<MediaSegment> cached_from(SegmentIndex first, std::optional<std::size_t> sound) {
    return cache_.run_from(first, sound);
  }
  /// Begins a new generation with these cached segments.
  void begin(std::uint32_t generation, std::vector<MediaSegment> cached);
  std::uint32_t generation() const { return generation_; }

 private:
  struct ForListener {
    MediaSegment media;                    // without init parts
    std::vector<MediaSegment::Part> init;  // that the listener does not have yet
  };
  ForListener for_listener(SegmentIndex segment, std::vector<MediaPart> parts);
  void tell(ForListener segment);
  MediaSegment::Part for_listener(MediaPart part) const;
  Duration begin_of_stretch(std::size_t track, std::size_t stretch) const;
  QualityIndex quality_of(const std::vector<MediaPart>& parts) const;

  const SegmentTable& table_;
  StreamListener& listener_;
  SegmentCache cache_;
  std::uint32_t generation_ = 0;
  std::set<std::pair<std::size_t, Duration>> initialised_;  // tracks, and where their stretches begin
};

}  // namespace tributary
