#pragma once

#include "segmenter/sound/audio_track.hh"

namespace tributary::segmenter {

/// The sound of a live stream. If no sound comes, silence takes its place, so that segments of the picture need not
/// wait.
class LiveSound {
 public:
  /// The arguments are as for AudioTrack.
  LiveSound(const SoundFormat& source, const SoundEncoding& encoding, AVRational offset, const SegmentPlan& plan,
            const TrackDestination& destination)
      : source_{source}, plan_{plan}, track_{kSoundName, source, encoding, offset, plan, destination} {}

  void add(AVFrame& sound);
  /// `pictures` pictures have come. If sound may still come, waits for it a while before it adds silence. If it has not
  /// come by then, no longer waits for it: segments and parts would be late for as long as it is missing.
  void keep_up(std::uint64_t pictures, bool may_come);

  Track describe() const { return track_.describe(); }
  Track finish(std::uint64_t pictures) { return track_.finish(pictures); }

 private:
  void add_silence(double until);

  SoundFormat source_;
  SegmentPlan plan_;
  AudioTrack track_;
  double end_ = 0;  // of sound and silence, in seconds
  std::uint64_t pictures_ = 0;
  bool is_missing_ = false;
  double patience_ = 1;  // in seconds of the picture; about the distance of sound and picture in senders' streams
};

}  // namespace tributary::segmenter
