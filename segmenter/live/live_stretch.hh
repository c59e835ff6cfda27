#pragma once

#include <optional>

#include "segmenter/encode/encode_progress.hh"
#include "segmenter/encoders/even_choice.hh"
#include "segmenter/live/live_input.hh"
#include "segmenter/live/live_job.hh"
#include "segmenter/live/live_sound.hh"

namespace tributary::segmenter {

/// What a live presentation gets from its source without an interruption: encoders that begin at some time of the timeline, and
/// end when the source does or goes away.
class LiveStretch : private SegmentListener {
 public:
  /// Begins now, where the directory's earlier stretches have left off. The arguments must live longer, but for those stretches
  /// that are still in the window.
  LiveStretch(const LiveOptions& options, const Publication& publication, LiveInput& input, EncodeProgress& progress,
              std::vector<Presentation> earlier);

  std::vector<Track> describe() const;
  /// Publishes what comes from the source until nothing comes any more, or the flag is set.
  void run(const std::atomic<bool>& stop);
  /// After it: says that no segment will follow.
  void complete() { live_.end(); }

  /// What is in the window after it.
  std::vector<Presentation> stretches() const { return live_.stretches(); }
  std::uint64_t first_number() const { return beginning_.first_number; }
  std::uint64_t segments() const { return live_.segments(); }
  std::uint64_t pictures() const { return pictures_; }
  std::uint64_t left_out() const { return choice_.left_out(); }

 private:
  void segment_written(const WrittenSegment& segment) override;
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
