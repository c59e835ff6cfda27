#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "segmenter/bounded_queue.hh"
#include "segmenter/cmaf_writer.hh"
#include "segmenter/track_writer.hh"
#include "segmenter/video_encoder.hh"

namespace tributary::segmenter {

/// Encodes and publishes one quality in a thread of its own. What stops the thread is thrown by the next
/// call.
class QualityEncoder {
 public:
  /// `waiting`: as many pictures may wait to be encoded.
  QualityEncoder(const VideoSettings& settings, const PictureFormat& source, const SegmentPlan& plan,
                 const TrackDestination& destination, std::size_t waiting);
  /// Stops at once; segments that were published stay.
  ~QualityEncoder();
  QualityEncoder(const QualityEncoder&) = delete;
  QualityEncoder& operator=(const QualityEncoder&) = delete;

  /// Waits while the encoder has enough to do.
  void add(FrameHandle picture);
  /// Encodes what is left. The track for the index.
  Track finish();

  /// How many pictures later this one is than the one that is being encoded; 0 when none waits.
  std::uint64_t behind(std::uint64_t picture) const {
    return pictures_.size() == 0 ? 0 : picture - std::min(picture, encoded_.load());
  }
  Track describe() const { return writer_.describe(); }
  std::int64_t offset() const { return encoder_.offset(); }

 private:
  void run();
  void take(AVPacket& packet);
  /// The next one begins with this picture.
  void end_segment(std::uint64_t next_picture);

  const SegmentPlan plan_;
  VideoEncoder encoder_;
  CmafWriter cmaf_;
  TrackWriter writer_;
  std::optional<PictureMeter> meter_;
  std::uint64_t segment_begin_ = 0, pictures_end_ = 0;  // in pictures
  std::atomic<std::uint64_t> encoded_ = 0;              // the end of what the encoder was given, in pictures
  BoundedQueue<FrameHandle> pictures_;
  std::stop_source stop_;
  std::exception_ptr error_;  // written before the stop request, read after it
  std::jthread thread_;
};

}  // namespace tributary::segmenter
