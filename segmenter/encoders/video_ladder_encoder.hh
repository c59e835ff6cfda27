#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "segmenter/encoders/first_pass.hh"
#include "segmenter/encoders/quality_encoder.hh"
#include "segmenter/filters/picture_scaler.hh"

namespace tributary::segmenter {

struct LadderSettings {
  std::vector<Quality> qualities;  // at least one
  VideoEncoding encoding;
  int threads = 1;  // of each encoder; with more, the output depends on timing
  std::optional<LookAhead> look_ahead = {};
  std::uint64_t first_picture = 0;                // the first to encode; it starts a segment
  std::optional<std::uint64_t> end_picture = {};  // the first not to encode any more
  std::size_t waiting = 8;                // pictures before each encoder, to even out their cost; 1.4 MB each at 720p
  const FirstPass* first_pass = nullptr;  // null: there is only one pass
  MetricChoice metrics = {};
};

/// If there are at least as many encoders as cores, one thread for each encoder: more would cost more than they bring.
int threads_of_each(std::size_t encoders);

/// If there are more pictures than the encoders can do, decides which are encoded.
class PictureChoice {
 public:
  virtual ~PictureChoice() = default;
  /// `behind`: number of pictures from the one at the slowest encoder to this one. The first picture of a segment is
  /// kept in any case.
  virtual bool keep(std::uint64_t picture, std::uint64_t behind) = 0;
};

/// Encodes all qualities of the picture: one scaler, and for each quality one encoder in a thread of its own.
class VideoLadderEncoder {
 public:
  /// If `choice` is null, every picture is encoded, and add() waits for the encoders.
  VideoLadderEncoder(const PictureFormat& source, const LadderSettings& settings, const SegmentPlan& plan,
                     const TrackDestination& destination, PictureChoice* choice = nullptr);

  void add(AVFrame& picture);
  void end();
  /// The number of pictures so far, at the constant rate, including those that were left out.
  std::uint64_t pictures() const { return pictures_; }
  bool has_all() const { return end_picture_ && pictures_ == *end_picture_; }
  /// Seconds by which timestamps are shifted; the same in all qualities.
  AVRational offset() const { return offset_; }

  /// The tracks without segments, in the order of the ladder.
  std::vector<Track> describe() const;
  /// Waits for the encoders. Returns the tracks for the index, in the order of the ladder.
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
