#pragma once

#include "segmenter/encoders/audio_track.hh"

namespace tributary::segmenter {

/// The sound of a live stream: silence where none comes, so that segments of the picture need not wait for it.
class LiveSound {
 public:
  /// As for AudioTrack.
  LiveSound(const SoundFormat& source, const SoundEncoding& encoding, AVRational offset, const SegmentPlan& plan,
            const TrackDestination& destination)
      : source_{source}, plan_{plan}, track_{kSoundName, source, encoding, offset, plan, destination} {}

  void add(AVFrame& sound);
  /// The picture has come so far. Sound that may still come is waited for a while.
  void keep_up(std::uint64_t pictures, bool may_come);

  Track describe() const { return track_.describe(); }
  Track finish(std::uint64_t pictures) { return track_.finish(pictures); }

 private:
  void add_silence(double until);

  SoundFormat source_;
  SegmentPlan plan_;
  AudioTrack track_;
  double end_ = 0;  // seconds; of sound and silence
  std::uint64_t pictures_ = 0;
  double patience_ = 1;  // seconds of the picture; senders put sound and picture into their stream about as far apart
};

}  // namespace tributary::segmenter
