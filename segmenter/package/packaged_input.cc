#include "segmenter/package/packaged_input.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "segmenter/package/silent_aac.hh"

namespace tributary::segmenter {
namespace {

/// A longer hole or overlap is another recording, or damage of the timestamps.
constexpr double kLongestHole = 600, kLongestOverlap = 1;  // seconds

SoundStream stream_of(const EncodedSound& sound) {
  const auto target = static_cast<double>(std::max<std::int64_t>(0, sound.codec->bit_rate));
  return {sound.codec, sound.codec->sample_rate,         sound.codec->ch_layout.nb_channels, sound.frame_samples,
          sound.label, DataRate::bits_per_second(target)};
}

}  // namespace

PackagedInput::Sound::Sound(const EncodedSound& encoded, const std::string& id, AVRational offset,
                            const SegmentPlan& plan, const TrackDestination& destination)
    : format{encoded},
      segments{id, stream_of(encoded), offset, plan, destination},
      silence{silent_aac_frame(*encoded.codec)} {}

double PackagedInput::Sound::seconds(std::uint64_t samples_of) const {
  return static_cast<double>(samples_of) / format.codec->sample_rate;
}

void PackagedInput::encode_anew(DataRate rate, const SegmentPlan& plan) {
  anew_.emplace(*source_.picture(), source_.name(), Quality{id_, rate, {}}, plan);
}

void PackagedInput::begin(const std::vector<std::string>& sound_ids, int reordering, const SegmentPlan& plan,
                          const TrackDestination& destination) {
  plan_ = plan;
  if (source_.picture()) {
    picture_.emplace(id_, format(), source_.name(), reordering, plan, destination);
  }
  const AVRational offset{static_cast<int>(reordering * plan.picture_ticks()), static_cast<int>(plan.timescale())};
  for (std::size_t i = 0; i < source_.sounds(); ++i) {
    sounds_.emplace_back(source_.sound(i), sound_ids.at(i), offset, plan, destination);
  }
}

std::vector<Track> PackagedInput::describe() const {
  std::vector<Track> tracks;
  if (picture_) tracks.push_back(picture_->describe());
  for (const Sound& sound : sounds_) tracks.push_back(sound.segments.describe());
  return tracks;
}

void PackagedInput::run(std::uint64_t pictures, const std::function<void()>& look) {
  while (const auto packet = source_.next()) {
    look();
    if (packet->kind == EncodedPacket::Kind::kSound) {
      add_sound(*packet);
    } else {
      add_picture(*packet);
    }
    for (Sound& sound : sounds_) sound.segments.advance(picture_ ? picture_->pictures() : pictures);
  }
  if (!anew_) return;
  anew_->finish(into_segments());
  for (Sound& sound : sounds_) sound.segments.advance(picture_->pictures());
}

void PackagedInput::add_picture(const EncodedPacket& packet) {
  if (anew_) return anew_->add(packet, into_segments());
  picture_->add(*packet.packet, packet.number, packet.access);
}

PictureReencoder::Use PackagedInput::into_segments() {
  return [this](AVPacket& packet, std::int64_t number, RandomAccess access) { picture_->add(packet, number, access); };
}

void PackagedInput::add_sound(const EncodedPacket& packet) {
  Sound& sound = sounds_[packet.sound];
  const std::int64_t frame = sound.format.frame_samples;
  if (2 * packet.number < -frame) return;  // start-up samples, or sound before the first picture
  const std::int64_t late = packet.number - static_cast<std::int64_t>(sound.samples());
  const double seconds = static_cast<double>(late) / sound.format.codec->sample_rate;
  if (seconds < -kLongestOverlap) refuse(sound, fmt::format("the sound has an overlap of {:.3f} s", -seconds));
  if (seconds > kLongestHole) refuse(sound, fmt::format("the sound has a hole of {:.3f} s", seconds));
  if (late < -frame) {
    ++sound.dropped_frames;
    return;
  }
  if (late > frame) add_silence(sound, late);
  sound.segments.add(*packet.packet);
}

void PackagedInput::add_silence(Sound& sound, std::int64_t samples) {
  const std::int64_t frame = sound.format.frame_samples;
  if (!sound.silence) {
    refuse(sound, fmt::format("the sound has a hole of {:.3f} s, and silence of its kind cannot be made; encode it",
                              sound.seconds(static_cast<std::uint64_t>(samples))));
  }
  for (std::int64_t left = (samples + frame / 2) / frame; left > 0; --left) {
    sound.segments.add(*sound.silence);
    ++sound.silent_frames;
  }
}

std::vector<Track> PackagedInput::finish_sounds(std::uint64_t pictures) {
  std::vector<Track> tracks;
  for (Sound& sound : sounds_) {
    auto track = sound.segments.finish(pictures);
    if (!track) {
      if (!sound.silence) refuse(sound, "the sound ends, more than a segment before the picture");
      const std::uint64_t all =
          plan_.sound_frames(pictures, sound.format.codec->sample_rate, sound.format.frame_samples) + 1;
      add_silence(sound,
                  static_cast<std::int64_t>(all - std::min(all, sound.segments.frames())) * sound.format.frame_samples);
      track = sound.segments.finish(pictures);
    }
    if (!track) refuse(sound, "the sound ends, more than a segment before the picture");
    tracks.push_back(*std::move(track));
  }
  return tracks;
}

std::vector<std::string> PackagedInput::remarks() const {
  std::vector<std::string> remarks;
  for (const std::string& left_out : source_.left_out())
    remarks.push_back(fmt::format("{}: left out: {}", source_.name(), left_out));
  for (const Sound& sound : sounds_) {
    const auto seconds = [&](std::uint64_t frames) {
      return sound.seconds(frames * static_cast<std::uint64_t>(sound.format.frame_samples));
    };
    if (sound.silent_frames > 0) {
      remarks.push_back(fmt::format("{}: silent for {:.3f} s, where the sound has holes or has ended", source_.name(),
                                    seconds(sound.silent_frames)));
    }
    if (sound.dropped_frames > 0) {
      remarks.push_back(fmt::format("{}: left out: {:.3f} s of sound whose timestamps overlap with others",
                                    source_.name(), seconds(sound.dropped_frames)));
    }
  }
  return remarks;
}

void PackagedInput::refuse(const Sound& sound, const std::string& why) const {
  throw Failure{ExitCode::kInput,
                fmt::format("{} at {:.3f} s: {}", source_.name(), sound.seconds(sound.samples()), why)};
}

}  // namespace tributary::segmenter
