#include "tones.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include "segmenter/filters/filter_chain.hh"
#include "support/sweep.hh"

namespace tributary::segmenter {
namespace {

using namespace literals;

constexpr const char* kTones = "tones";

double frequency(std::size_t channel) { return 300 + 200 * static_cast<double>(channel); }

/// A sine wave, sample by sample. Turning a vector is a tenth of the work of std::sin; after a second it is off by 1e-11.
class Wave {
 public:
  /// `cycles` of the wave in each sample; the first sample is number `begin`.
  Wave(double cycles, std::int64_t begin)
      : turn_cosine_{std::cos(2 * std::numbers::pi * cycles)},
        turn_sine_{std::sin(2 * std::numbers::pi * cycles)},
        cosine_{std::cos(2 * std::numbers::pi * cycles * static_cast<double>(begin))},
        sine_{std::sin(2 * std::numbers::pi * cycles * static_cast<double>(begin))} {}
  double cosine() const { return cosine_; }
  double sine() const { return sine_; }
  void advance() {
    const double cosine = cosine_ * turn_cosine_ - sine_ * turn_sine_;
    sine_ = sine_ * turn_cosine_ + cosine_ * turn_sine_;
    cosine_ = cosine;
  }

 private:
  double turn_cosine_, turn_sine_, cosine_, sine_;
};

int channels_of(const std::string& layout) {
  return std::map<std::string, int>{{"mono", 1}, {"stereo", 2}, {"5.1", 6}, {"7.1", 8}}.at(layout);
}

FrameHandle tones_frame(const SoundFormat& format, std::int64_t begin, int samples) {
  FrameHandle frame = make_frame();
  frame->format = AV_SAMPLE_FMT_DBLP;
  frame->sample_rate = format.sample_rate;
  frame->nb_samples = samples;
  frame->pts = begin;
  check(av_channel_layout_from_string(&frame->ch_layout, format.layout.c_str()), ExitCode::kCodec, kTones);
  check(av_frame_get_buffer(frame.get(), 0), ExitCode::kCodec, kTones);
  for (int c = 0; c < format.channels; ++c) {
    auto* const plane = reinterpret_cast<double*>(frame->extended_data[c]);
    Wave wave{frequency(static_cast<std::size_t>(c)) / format.sample_rate, begin};
    for (int i = 0; i < samples; ++i, wave.advance()) plane[i] = kToneAmplitude * wave.sine();
  }
  return frame;
}

/// What is heard in one channel.
struct HeardTones {
  std::vector<double> amplitudes;  // of the tone of each channel of the source
  double other = 0;                // effective value of all that is none of the tones
};

HeardTones hear(std::span<const float> samples, int sample_rate, int tones) {
  const auto count = static_cast<double>(samples.size());
  HeardTones heard;
  double power = 0;
  for (const float sample : samples) power += static_cast<double>(sample) * sample / count;
  for (int c = 0; c < tones; ++c) {
    Wave wave{frequency(static_cast<std::size_t>(c)) / sample_rate, 0};
    double real = 0, imaginary = 0;
    for (const float sample : samples) {
      real += sample * wave.cosine();
      imaginary += sample * wave.sine();
      wave.advance();
    }
    heard.amplitudes.push_back(std::hypot(real, imaginary) * 2 / count);
    power -= heard.amplitudes.back() * heard.amplitudes.back() / 2;
  }
  heard.other = std::sqrt(std::max(0.0, power));
  return heard;
}

/// Of channel `input` in channel `output` of what comes out.
double expected_amplitude(const SoundForm& form, std::size_t input, std::size_t output) {
  constexpr std::size_t kCenter = 2, kLfe = 3;
  if (input == output) return kToneAmplitude;
  const bool is_mixed_in = input == kCenter || (input > kLfe && input % 2 == output);
  return form.layout != "stereo" && is_mixed_in ? kToneAmplitude * std::numbers::sqrt2 / 2 : 0;
}

std::span<const float> part_of(const std::vector<float>& samples, int sample_rate, Stretch stretch) {
  const auto begin = static_cast<std::size_t>(std::llround(stretch.begin * sample_rate));
  const auto end = static_cast<std::size_t>(std::llround(stretch.end * sample_rate));
  EXPECT_GE(samples.size(), end) << "the sound is too short";
  if (samples.size() < end) return {};
  return std::span{samples}.subspan(begin, end - begin);
}

}  // namespace

SoundFormat SoundForm::source() const {
  return {samples, sample_rate, layout, channels_of(layout), {}, {1, sample_rate}};
}

SoundEncoding SoundForm::encoding() const { return {codec, 192_kbps}; }

void PrintTo(const SoundForm& form, std::ostream* out) {
  *out << (form.codec == SoundCodec::kAac ? "aac" : "opus") << " from " << form.layout << ", " << form.sample_rate
       << " Hz, " << av_get_sample_fmt_name(form.samples);
}

std::vector<SoundForm> sound_forms() {
  std::vector<SoundForm> forms;
  for (const SoundCodec codec : {SoundCodec::kAac, SoundCodec::kOpus}) {
    for (const char* const layout : {"mono", "stereo", "5.1", "7.1"}) {
      for (const int rate : {8000, 22050, 44100, 48000, 96000}) {
        for (int samples = AV_SAMPLE_FMT_U8; samples < AV_SAMPLE_FMT_NB; ++samples)
          forms.push_back({codec, layout, rate, static_cast<AVSampleFormat>(samples)});
      }
    }
  }
  // As many steps as divide none of the counts above: each value of each is met.
  const auto step = static_cast<std::size_t>(testing::of_sweep(7, 1));
  std::vector<SoundForm> tried;
  for (std::size_t i = 0; i < forms.size(); i += step) tried.push_back(forms[i]);
  return tried;
}

std::vector<FrameHandle> make_tones(const SoundFormat& format, double begin, double end) {
  FilterChain chain{fmt::format("abuffer@in=sample_rate={0}:sample_fmt=dblp:channel_layout={1}:time_base=1/{0},"
                                "aformat=sample_fmts={2},abuffersink@0",
                                format.sample_rate, format.layout, av_get_sample_fmt_name(format.samples)),
                    "abuffer", "abuffersink", 1};
  std::vector<FrameHandle> frames;
  const std::int64_t last = std::llround(end * format.sample_rate);
  const std::int64_t most = format.sample_rate / 10;
  for (std::int64_t at = std::llround(begin * format.sample_rate); at < last; at += most) {
    chain.push(*tones_frame(format, at, static_cast<int>(std::min(most, last - at))));
    while (FrameHandle ready = chain.pull(0)) frames.push_back(std::move(ready));
  }
  return frames;
}

ToneDecoder::ToneDecoder(const AVCodecParameters& codec)
    : decoder_{avcodec_alloc_context3(avcodec_find_decoder(codec.codec_id))} {
  check(avcodec_parameters_to_context(decoder_.get(), &codec), ExitCode::kCodec, kTones);
  check(avcodec_open2(decoder_.get(), decoder_->codec, nullptr), ExitCode::kCodec, kTones);
}

void ToneDecoder::decode(const AVPacket* packet) {
  check(avcodec_send_packet(decoder_.get(), packet), ExitCode::kCodec, kTones);
  const FrameHandle frame = make_frame();
  while (avcodec_receive_frame(decoder_.get(), frame.get()) >= 0) {
    const auto channels = static_cast<std::size_t>(frame->ch_layout.nb_channels);
    const auto samples = static_cast<std::size_t>(frame->nb_samples);
    const bool planar = frame->format == AV_SAMPLE_FMT_FLTP;
    ASSERT_TRUE(planar || frame->format == AV_SAMPLE_FMT_FLT);
    heard_.resize(channels);
    for (std::size_t c = 0; c < channels; ++c) {
      const auto* const data = reinterpret_cast<const float*>(frame->extended_data[planar ? c : 0]);
      for (std::size_t i = 0; i < samples; ++i) heard_[c].push_back(data[planar ? i : i * channels + c]);
    }
  }
}

HeardSound ToneDecoder::finish() {
  decode(nullptr);
  return std::move(heard_);
}

void expect_tones(const HeardSound& heard, int sample_rate, Stretch stretch, const SoundForm& form) {
  const int channels = form.source().channels;
  ASSERT_EQ(heard.size(), static_cast<std::size_t>(std::min(channels, 2)));
  for (std::size_t output = 0; output < heard.size(); ++output) {
    SCOPED_TRACE(fmt::format("channel {}", output));
    const HeardTones tones = hear(part_of(heard[output], sample_rate, stretch), sample_rate, channels);
    for (std::size_t input = 0; input < tones.amplitudes.size(); ++input) {
      EXPECT_NEAR(tones.amplitudes[input], expected_amplitude(form, input, output), 0.1 * kToneAmplitude)
          << frequency(input) << " Hz";
    }
    double power = 0;
    for (const double amplitude : tones.amplitudes) power += amplitude * amplitude / 2;
    EXPECT_LT(tones.other, 0.15 * std::sqrt(power));
  }
}

void expect_silence(const HeardSound& heard, int sample_rate, Stretch stretch) {
  for (const std::vector<float>& channel : heard)
    EXPECT_LT(hear(part_of(channel, sample_rate, stretch), sample_rate, 0).other, 0.002 * kToneAmplitude);
}

}  // namespace tributary::segmenter
