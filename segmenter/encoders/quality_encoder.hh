#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "segmenter/encoders/bounded_queue.hh"
#include "segmenter/encoders/video_encoder.hh"
#include "segmenter/plan/part_plan.hh"
#include "segmenter/publish/cmaf_writer.hh"
#include "segmenter/publish/track_writer.hh"

namespace tributary::segmenter {

/// Encodes and publishes one quality in a thread of its own. If the thread fails, the next call throws its exception.
class QualityEncoder {
 public:
  /// `waiting`: number of pictures that may wait to be encoded. `first_picture`: number of the first picture, which
  /// starts a segment.
  QualityEncoder(const VideoSettings& settings, const PictureFormat& source, const SegmentPlan& plan,
                 const TrackDestination& destination, std::size_t waiting, std::uint64_t first_picture);
  /// Stops at once. Published segments stay.
  ~QualityEncoder();
  QualityEncoder(const QualityEncoder&) = delete;
  QualityEncoder& operator=(const QualityEncoder&) = delete;

  /// Waits while the queue is full.
  void add(FrameHandle picture);
  /// Encodes the pictures that are left. Returns the track for the index.
  Track finish();

  /// Number of pictures from the one that is being encoded to `picture`; 0 if none waits.
  std::uint64_t behind(std::uint64_t picture) const {
    return pictures_.size() == 0 ? 0 : picture - std::min(picture, encoded_.load());
  }
  Track describe() const { return writer_.describe(); }
  std::int64_t offset() const { return offset_; }

 private:
  void run();
  void encode(AVFrame* picture);
  void begin_packing(std::uint64_t first_picture);
  void begin_measuring(std::uint64_t first_picture);
  /// Ends an encoder after its last picture. Its last segment is written when its figures are known.
  void end_encoder();
  void take(AVPacket& packet);
  /// Adds a packet with times of the stream. `decoded`: when it is decoded, in pictures.
  void pack(AVPacket& packet, std::uint64_t decoded);
  /// Publishes a part that is a file of its own; the next one begins with this picture, in decoding order.
  void end_part(std::uint64_t next_picture);
  /// Ends a segment; the next one begins with this picture.
  void end_segment(std::uint64_t next_picture);
  std::int64_t ticks_at(std::uint64_t picture) const {
    return static_cast<std::int64_t>(writer_.start() + ticks(picture));
  }
  std::uint64_t ticks(std::uint64_t pictures) const {
    return pictures * static_cast<std::uint64_t>(plan_.picture_ticks());
  }

  const VideoSettings settings_;
  const PictureFormat source_;
  const SegmentPlan plan_;
  const PartPlan parts_;
  std::optional<VideoEncoder> encoder_;  // new for each section
  const std::int64_t offset_;
  const Duration chunk_;
  const std::optional<UtcTime> zero_;
  std::optional<CmafWriter> cmaf_;  // new for each section, because fragments are numbered
  TrackWriter writer_;
  std::optional<PictureMeter> meter_;           // new for each section
  std::uint64_t segment_begin_, pictures_end_;  // in pictures
  std::uint64_t part_begin_;                    // in pictures
  std::uint64_t packed_ = 0;                    // packets of the unfinished segment
  bool part_has_packets_ = false;
  std::atomic<std::uint64_t> encoded_ = 0;  // end of the pictures given to the encoder
  BoundedQueue<FrameHandle> pictures_;
  std::stop_source stop_;
  std::exception_ptr error_;  // written before the stop request, read after it
  std::jthread thread_;
};

}  // namespace tributary::segmenter
