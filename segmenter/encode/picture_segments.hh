#pragma once

#include <string>
#include <vector>

#include "segmenter/encoders/encoded_source.hh"
#include "segmenter/publish/cmaf_writer.hh"
#include "segmenter/publish/track_writer.hh"

namespace tributary::segmenter {

/// Publishes encoded pictures, unchanged, in the segments of the plan. Refuses pictures that cannot be cut there: each
/// segment must consist of closed groups at a constant rate.
class PictureSegments {
 public:
  /// `reordering`: number of pictures by which presentation is later than decoding, for all qualities. Errors name
  /// `file`.
  PictureSegments(const std::string& id, const EncodedPicture& picture, std::string file, int reordering,
                  const SegmentPlan& plan, const TrackDestination& destination);

  /// Adds the next picture in decoding order, with its number in the order of presentation. Throws Failure (input) with
  /// file and timestamp.
  void add(AVPacket& packet, std::int64_t number, RandomAccess access);
  std::uint64_t pictures() const { return decoded_; }
  /// The track without segments.
  Track describe() const { return writer_.describe(); }
  /// The track for the index.
  Track finish();

 private:
  void check_place(const AVPacket& packet, std::int64_t number, RandomAccess access) const;
  /// Checks the first picture of a segment.
  void check_start(std::int64_t number, RandomAccess access) const;
  /// Checks that the first `count` pictures of the segment are there.
  void check_complete(std::size_t count) const;
  void end_segment();
  [[noreturn]] void refuse(std::int64_t number, const std::string& why) const;
  std::int64_t begin() const { return static_cast<std::int64_t>(decoded_ - seen_count_); }
  /// The pictures of the segment that begins there.
  std::size_t length_from(std::uint64_t picture) const;

  std::string file_;
  AVCodecID codec_;
  SegmentPlan plan_;
  int reordering_;
  CmafWriter cmaf_;
  TrackWriter writer_;
  std::uint64_t decoded_ = 0;   // pictures so far
  std::size_t seen_count_ = 0;  // pictures of the present segment so far
  std::vector<bool> seen_;      // whether each picture of the segment was there, by presentation
};

}  // namespace tributary::segmenter
