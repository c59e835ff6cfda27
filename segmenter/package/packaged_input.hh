#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "segmenter/encode/picture_segments.hh"
#include "segmenter/encoders/encoded_source.hh"
#include "segmenter/encoders/sound_segments.hh"

namespace tributary::segmenter {

/// One encoded file on its way into a presentation: its picture, its sounds, or both.
class PackagedInput {
 public:
  /// Throws Failure when it cannot be packed (EncodedSource). The flag must live longer.
  PackagedInput(std::string id, const std::string& path, const std::atomic<bool>& interrupted, bool want_sound)
      : id_{std::move(id)}, source_{path, want_sound, interrupted} {}

  const std::string& id() const { return id_; }
  EncodedSource& source() { return source_; }

  /// Publishes the init segments. `sound_ids` are the names of the tracks of its sounds. What the destination refers to
  /// must outlive it.
  void begin(const std::vector<std::string>& sound_ids, int reordering, const SegmentPlan& plan,
             const TrackDestination& destination);
  /// Without segments: its picture, if there is one, and its sounds.
  std::vector<Track> describe() const;
  /// Publishes what is complete; calls `look` for each packet. Where there is no picture, sound lasts as long as
  /// `pictures` do.
  void run(std::uint64_t pictures, const std::function<void()>& look);

  std::uint64_t pictures() const { return picture_->pictures(); }
  Track finish_picture() { return picture_->finish(); }
  /// Throws Failure (input) when a sound is too short, and silence cannot be put behind it.
  std::vector<Track> finish_sounds(std::uint64_t pictures);
  /// What is not as it was in the file: "film.mp4: silence of 0.043 s where the sound has holes".
  std::vector<std::string> remarks() const;

 private:
  struct Sound {
    Sound(const EncodedSound& encoded, const std::string& id, AVRational offset, const SegmentPlan& plan,
          const TrackDestination& destination);

    std::uint64_t samples() const { return segments.frames() * static_cast<std::uint64_t>(format.frame_samples); }
    double seconds(std::uint64_t samples_of) const;

    EncodedSound format;
    SoundSegments segments;
    PacketHandle silence;  // a frame of it; null if there is none
    std::uint64_t silent_frames = 0, dropped_frames = 0;
  };

  /// Its clock counts frames: small errors of timestamps are ignored, holes become silent.
  void add_sound(const EncodedPacket& packet);
  void add_silence(Sound& sound, std::int64_t samples);
  [[noreturn]] void refuse(const Sound& sound, const std::string& why) const;

  std::string id_;
  EncodedSource source_;
  SegmentPlan plan_{{25, 1}, std::chrono::seconds{2}};  // until it begins
  std::optional<PictureSegments> picture_;
  std::deque<Sound> sounds_;
};

}  // namespace tributary::segmenter
