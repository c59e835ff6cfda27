#pragma once

#include <cstdint>
#include <set>

#include "playback/stream.hh"
#include "presentation/segment_table.hh"
#include "sink/segment_sink.hh"

namespace tributary {

/// Gives complete segments to the listener of a stream, without copying a byte.
class SegmentFeed : public SegmentSink {
 public:
  /// Both must outlive it.
  SegmentFeed(const SegmentTable& table, StreamListener& listener) : table_{table}, listener_{listener} {}

  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  std::uint32_t generation() const { return generation_; }

 private:
  QualityIndex quality_of(const std::vector<MediaPart>& parts) const;

  const SegmentTable& table_;
  StreamListener& listener_;
  std::uint32_t generation_ = 0;
  std::set<std::size_t> initialised_;  // tracks
};

}  // namespace tributary
