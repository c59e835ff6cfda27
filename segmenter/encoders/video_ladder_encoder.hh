#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "segmenter/encoders/first_pass.hh"
#include "segmenter/encoders/quality_encoder.hh"
#include "segmenter/libav/picture_scaler.hh"

namespace tributary::segmenter {

struct LadderSettings {
  std::vector<Quality> qualities;  // at least one
  VideoEncoding encoding;
  int threads = 1;  // of each encoder; with more, its output depends on their timing
  std::optional<int> look_ahead = {};
  std::uint64_t first_picture = 0;                // the first that is encoded; it starts a segment
  std::optional<std::uint64_t> end_picture = {};  // the first that is not encoded any more
  std::size_t waiting = 8;  // pictures before each encoder; evens out those that cost more; 1.4 MB each at 720p
  const FirstPass* first_pass = nullptr;  // of two
  MetricChoice metrics = {};
};

/// One thread for each encoder as soon as there are as many encoders as cores: threads inside an encoder cost more
/// than they bring then.
int threads_of_each(std::size_t encoders);

/// Decides which pictures are encoded when there are more than the encoders can do.
class PictureChoice {
 public:
  virtual ~PictureChoice() = default;
  /// `behind`: how many pictures later this one is than the one that the slowest encoder is at. The first picture of a
  /// segment is kept in any case.
  virtual bool keep(std::uint64_t picture, std::uint64_t behind) = 0;
};

/// All qualities of the picture: one scaler, and one encoder in a thread of its own for each.
class VideoLadderEncoder {
 public:
  /// Without a choice, every picture is encoded, and add() waits for the encoders.
  VideoLadderEncoder(const PictureFormat& source, const LadderSettings& settings, const SegmentPlan& plan,
                     const TrackDestination& destination, PictureChoice* choice = nullptr);

  void add(AVFrame& picture);
  void end();
  /// How far the pictures have come, at the constant rate, those that were left out included.
  std::uint64_t pictures() const { return pictures_; }
  bool has_all() const { return end_picture_ && pictures_ == *end_picture_; }
  /// Seconds by which the timestamps are shifted; the same in all qualities.
  AVRational offset() const { return offset_; }

  /// The tracks without segments, in the order of the ladder.
  std::vector<Track> describe() const;
  /// Waits for the encoders. The tracks for the index, in the order of the ladder.
  std::vector<Track> finish();

 private:
  void distribute();
  bool wanted(std::uint64_t picture);

  SegmentPlan plan_;
  PictureScaler scaler_;
  PictureChoice* choice_;
  std::vector<std::unique_ptr<QualityEncoder>> encoders_;
  AVRational offset_{0, 1};
  std::uint64_t pictures_;
  std::optional<std::uint64_t> end_picture_;
};

}  // namespace tributary::segmenter
