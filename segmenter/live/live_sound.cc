#include "segmenter/live/live_sound.hh"

extern "C" {
#include <libavutil/channel_layout.h>
#include <libavutil/samplefmt.h>
}

#include <algorithm>
#include <cmath>

namespace tributary::segmenter {
namespace {

constexpr double kMostPatience = 10;

FrameHandle silence(const SoundFormat& form, int samples) {
  FrameHandle frame = make_frame();
  frame->format = form.samples;
  frame->sample_rate = form.sample_rate;
  frame->nb_samples = samples;
  check(av_channel_layout_from_string(&frame->ch_layout, form.layout.c_str()), ExitCode::kCodec, "cannot make silence");
  check(av_frame_get_buffer(frame.get(), 0), ExitCode::kCodec, "cannot make silence");
  av_samples_set_silence(frame->extended_data, 0, samples, frame->ch_layout.nb_channels, form.samples);
  return frame;
}

}  // namespace

void LiveSound::add(AVFrame& sound) {
  if (sound.pts != AV_NOPTS_VALUE && sound.sample_rate > 0) {
    const double begin = static_cast<double>(sound.pts) * av_q2d(source_.time_base);
    // The sound comes after silence has taken its place: next time, wait longer.
    if (begin < end_ - 0.03) patience_ = std::clamp(2 * (plan_.seconds(pictures_) - begin), patience_, kMostPatience);
    end_ = std::max(end_, begin + static_cast<double>(sound.nb_samples) / sound.sample_rate);
  }
  is_missing_ = false;
  track_.add(sound);
  track_.advance(pictures_);
}

void LiveSound::keep_up(std::uint64_t pictures, bool may_come) {
  pictures_ = pictures;
  const double picture = plan_.seconds(pictures);
  is_missing_ = is_missing_ || end_ < picture - patience_;
  if (!may_come || is_missing_) add_silence(picture);
  track_.advance(pictures);
}

void LiveSound::add_silence(double until) {
  const auto missing = [&] { return static_cast<std::int64_t>(std::floor((until - end_) * source_.sample_rate)); };
  for (std::int64_t samples = missing(); samples > 0; samples = missing()) {
    const FrameHandle frame = silence(source_, static_cast<int>(std::min<std::int64_t>(samples, source_.sample_rate)));
    frame->pts = std::llround(end_ / av_q2d(source_.time_base));
    end_ += static_cast<double>(frame->nb_samples) / source_.sample_rate;
    track_.add(*frame);
  }
}

}  // namespace tributary::segmenter
