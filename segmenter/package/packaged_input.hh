#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "segmenter/encode/picture_segments.hh"
#include "segmenter/encoders/encoded_source.hh"
#include "segmenter/package/picture_reencoder.hh"
#include "segmenter/sound/sound_segments.hh"

namespace tributary::segmenter {

/// One encoded file on its way into a presentation: its picture, its sounds, or both.
class PackagedInput {
 public:
  /// Throws Failure if the file cannot be packed (EncodedSource). The flag must outlive the input.
  PackagedInput(std::string id, const std::string& path, const std::atomic<bool>& interrupted, bool want_sound)
      : id_{std::move(id)}, source_{path, want_sound, interrupted} {}

  const std::string& id() const { return id_; }
  EncodedSource& source() { return source_; }
  /// To be called before begin(): the picture is to be encoded once more, at this average rate, so that segments of the
  /// plan begin with key frames. Throws Failure (codec) if it cannot be.
  void encode_anew(DataRate rate, const SegmentPlan& plan);
  /// Pictures by which presentation is later than decoding. There must be a picture.
  int reordering() const { return format().reordering; }

  /// Publishes the init segments. `sound_ids`: names for the tracks of the sounds. Objects to which `destination`
  /// refers must outlive the input.
  void begin(const std::vector<std::string>& sound_ids, int reordering, const SegmentPlan& plan,
             const TrackDestination& destination);
  /// The tracks without segments: the picture, if there is one, and the sounds.
  std::vector<Track> describe() const;
  /// Publishes complete segments; calls `look` for each packet. If there is no picture, sound lasts as long as
  /// `pictures` pictures.
  void run(std::uint64_t pictures, const std::function<void()>& look);

  std::uint64_t pictures() const { return picture_->pictures(); }
  Track finish_picture() { return picture_->finish(); }
  /// Throws Failure (input) if a sound is too short, and silence cannot be put behind it.
  std::vector<Track> finish_sounds(std::uint64_t pictures);
  /// Differences from the file: "film.mp4: silence of 0.043 s where the sound has holes".
  std::vector<std::string> remarks() const;

 private:
  struct Sound {
    Sound(const EncodedSound& encoded, const std::string& id, AVRational offset, const SegmentPlan& plan,
          const TrackDestination& destination);

    std::uint64_t samples() const { return segments.frames() * static_cast<std::uint64_t>(format.frame_samples); }
    double seconds(std::uint64_t samples_of) const;

    EncodedSound format;
    SoundSegments segments;
    PacketHandle silence;  // a silent frame; null: none can be made
    std::uint64_t silent_frames = 0, dropped_frames = 0;
  };

  /// Of the picture, as it is published.
  const EncodedPicture& format() const { return anew_ ? anew_->picture() : *source_.picture(); }
  void add_picture(const EncodedPacket& packet);
  PictureReencoder::Use into_segments();
  /// The clock of the sound counts frames: small errors of timestamps are ignored, and silence fills holes.
  void add_sound(const EncodedPacket& packet);
  void add_silence(Sound& sound, std::int64_t samples);
  [[noreturn]] void refuse(const Sound& sound, const std::string& why) const;

  std::string id_;
  EncodedSource source_;
  SegmentPlan plan_{{25, 1}, std::chrono::seconds{2}};  // a placeholder until begin()
  std::optional<PictureReencoder> anew_;
  std::optional<PictureSegments> picture_;
  std::deque<Sound> sounds_;
};

}  // namespace tributary::segmenter
