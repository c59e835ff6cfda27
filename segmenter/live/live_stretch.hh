#pragma once

#include <optional>

#include "segmenter/encode/encode_progress.hh"
#include "segmenter/encoders/even_choice.hh"
#include "segmenter/live/live_input.hh"
#include "segmenter/live/live_job.hh"
#include "segmenter/live/live_sound.hh"

namespace tributary::segmenter {

/// One stretch of a live presentation without an interruption of the source. Its encoders begin at some time of the
/// timeline, and end when the source ends or goes away.
class LiveStretch : private SegmentListener {
 public:
  /// Begins now, behind the directory's earlier stretches. `earlier`: those in the window. The other arguments must
  /// outlive the stretch.
  LiveStretch(const LiveOptions& options, const Publication& publication, LiveInput& input, EncodeProgress& progress,
              std::vector<Presentation> earlier);

  std::vector<Track> describe() const;
  /// Publishes the source until it brings no more, or until the flag is set.
  void run(const std::atomic<bool>& stop);
  /// To be called after run(), if no segment will follow.
  void complete() { live_.end(); }

  /// The stretches in the window after run().
  std::vector<Presentation> stretches() const { return live_.stretches(); }
  std::uint64_t first_number() const { return beginning_.first_number; }
  std::uint64_t segments() const { return live_.segments(); }
  std::uint64_t pictures() const { return pictures_; }
  std::uint64_t left_out() const { return choice_.left_out(); }

 private:
  void segment_written(const WrittenSegment& segment) override;
  void part_written(const WrittenPart& part) override { live_.part_written(part); }
  void add(const Decoded& decoded);

  LiveInput& input_;
  EncodeProgress& progress_;
  const SegmentPlan plan_;
  const LiveBeginning beginning_;
  LivePublication live_;
  CountingChoice choice_;
  std::optional<VideoLadderEncoder> video_;
  std::optional<LiveSound> sound_;
  std::uint64_t pictures_ = 0;
};

}  // namespace tributary::segmenter
