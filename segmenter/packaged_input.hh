#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "segmenter/encoded_source.hh"
#include "segmenter/picture_segments.hh"
#include "segmenter/sound_segments.hh"

namespace tributary::segmenter {

/// One encoded file on its way into a presentation: its picture, its sound, or both.
class PackagedInput {
 public:
  /// Throws Failure when it cannot be packed (EncodedSource). The flag must live longer.
  PackagedInput(std::string id, const std::string& path, const std::atomic<bool>& interrupted, bool want_sound)
      : id_{std::move(id)}, source_{path, want_sound, interrupted} {}

  const std::string& id() const { return id_; }
  EncodedSource& source() { return source_; }

  /// Publishes the init segments. `sound_id` is the name of the sound's track. What the destination refers to must outlive it.
  void begin(const std::string& sound_id, int reordering, const SegmentPlan& plan, const TrackDestination& destination);
  /// Without segments: its picture, if there is one, and its sound.
  std::vector<Track> describe() const;
  /// Publishes what is complete; calls `look` for each packet. Where there is no picture, sound lasts as long as
  /// `pictures` do.
  void run(std::uint64_t pictures, const std::function<void()>& look);

  std::uint64_t pictures() const { return picture_->pictures(); }
  Track finish_picture() { return picture_->finish(); }
  /// Throws Failure (input) when the sound is too short.
  Track finish_sound(std::uint64_t pictures);

 private:
  void add_sound(const EncodedPacket& sound);

  std::string id_;
  EncodedSource source_;
  std::optional<PictureSegments> picture_;
  std::optional<SoundSegments> sound_;
};

}  // namespace tributary::segmenter
