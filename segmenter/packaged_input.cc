#include "segmenter/packaged_input.hh"

#include <fmt/format.h>

#include <cstdlib>

namespace tributary::segmenter {

void PackagedInput::begin(const std::string& sound_id, int reordering, const SegmentPlan& plan,
                          const TrackDestination& destination) {
  if (source_.picture()) {
    picture_.emplace(id_, *source_.picture(), source_.name(), reordering, plan, destination);
  }
  if (!source_.sound()) return;
  const EncodedSound& sound = *source_.sound();
  const auto target = static_cast<double>(std::max<std::int64_t>(0, sound.codec->bit_rate));
  const SoundStream stream{
      sound.codec, sound.codec->sample_rate,         sound.codec->ch_layout.nb_channels, sound.frame_samples,
      sound.label, DataRate::bits_per_second(target)};
  const AVRational offset{static_cast<int>(reordering * plan.picture_ticks()), static_cast<int>(plan.timescale())};
  sound_.emplace(sound_id, stream, offset, plan, destination);
}

std::vector<Track> PackagedInput::describe() const {
  std::vector<Track> tracks;
  if (picture_) tracks.push_back(picture_->describe());
  if (sound_) tracks.push_back(sound_->describe());
  return tracks;
}

void PackagedInput::run(std::uint64_t pictures, const std::function<void()>& look) {
  while (const auto packet = source_.next()) {
    look();
    if (packet->kind == EncodedPacket::Kind::kSound) {
      add_sound(*packet);
    } else {
      picture_->add(*packet->packet, packet->number);
    }
    if (sound_) sound_->advance(picture_ ? picture_->pictures() : pictures);
  }
}

void PackagedInput::add_sound(const EncodedPacket& sound) {
  const int frame = source_.sound()->frame_samples;
  if (2 * sound.number < -frame) return;  // start-up samples, or before the first picture
  // The clock counts frames: small errors of timestamps are ignored, but not a hole.
  const auto expected = static_cast<std::int64_t>(sound_->frames()) * frame;
  if (std::abs(sound.number - expected) > frame) {
    throw Failure{
        ExitCode::kInput,
        fmt::format("{} at {:.3f} s: the sound has a hole or an overlap of {:.3f} s", source_.name(),
                    static_cast<double>(expected) / source_.sound()->codec->sample_rate,
                    static_cast<double>(std::abs(sound.number - expected)) / source_.sound()->codec->sample_rate)};
  }
  sound_->add(*sound.packet);
}

Track PackagedInput::finish_sound(std::uint64_t pictures) {
  auto track = sound_->finish(pictures);
  if (!track) {
    throw Failure{ExitCode::kInput,
                  fmt::format("{} at {:.3f} s: the sound ends, more than a segment before the picture", source_.name(),
                              static_cast<double>(sound_->frames()) * source_.sound()->frame_samples /
                                  source_.sound()->codec->sample_rate)};
  }
  return *std::move(track);
}

}  // namespace tributary::segmenter
