#include "segmenter/check/sound_spectrum.hh"

extern "C" {
#include <libavfilter/buffersink.h>
#include <libavutil/channel_layout.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tributary::segmenter {
namespace {

constexpr double kLowestOctave = 125;                                  // Hz; all below it is one octave
constexpr double kInaudible = -60, kMasked = 12;                       // dB; kMasked: below the level of all octaves
constexpr double kMostLevelDifference = 6, kMostOctaveDifference = 9;  // dB
constexpr std::size_t kHighOctave = 7;                                 // encoders at low rates leave it out

double decibels(double power) { return 10 * std::log10(std::max(power, 1e-12)); }

std::string usual_layout(int channels) {
  AVChannelLayout layout{};
  av_channel_layout_default(&layout, channels);
  return layout_name(layout);
}

/// Mixes in floating point, as for the encoder of the sound.
std::string describe(const SoundFormat& source, int sample_rate, int channels) {
  return fmt::format(
      "{},aresample={}:async=1:min_hard_comp=0.03:first_pts=0,aformat=sample_fmts=fltp:channel_layouts={},"
      "abuffersink@0",
      describe_source(source), sample_rate, usual_layout(channels));
}

}  // namespace

void OctaveLevels::add(const std::array<double, kOctaves>& power) {
  for (std::size_t i = 0; i < kOctaves; ++i) power_[i] += power[i];
  ++blocks_;
}

double OctaveLevels::level(int blocks) const {
  return decibels(std::accumulate(power_.begin(), power_.end(), 0.0) / blocks);
}

double OctaveLevels::level(std::size_t octave, int blocks) const { return decibels(power_[octave] / blocks); }

std::optional<std::string> OctaveLevels::difference_from(const OctaveLevels& source) const {
  const int blocks = std::max({1, blocks_, source.blocks_});
  const double here = level(blocks), there = source.level(blocks);
  if (std::max(here, there) < kInaudible) return std::nullopt;
  if (std::abs(here - there) > kMostLevelDifference)
    return fmt::format("is at {:.0f} dB, but the source at {:.0f} dB", here, there);
  const double audible = std::max(kInaudible, std::max(here, there) - kMasked);
  for (std::size_t i = 0; i < kHighOctave; ++i) {
    const double a = level(i, blocks), b = source.level(i, blocks);
    if (std::max(a, b) < audible || std::abs(a - b) <= kMostOctaveDifference) continue;
    return fmt::format("is at {:.0f} dB up to {:.0f} Hz, but the source at {:.0f} dB", a,
                       kLowestOctave * std::exp2(static_cast<double>(i)), b);
  }
  return std::nullopt;
}

SoundSpectrum::SoundSpectrum(const SoundFormat& source, int sample_rate, int channels, std::vector<double> ends)
    : sample_rate_{sample_rate},
      channels_{channels},
      ends_{std::move(ends)},
      adapter_{source},
      chain_{describe(source, sample_rate, channels), "abuffer", "abuffersink", 1},
      in_(kBlock),
      out_(kBlock),
      levels_(ends_.size(), std::vector<OctaveLevels>(static_cast<std::size_t>(channels))) {
  av_buffersink_set_frame_size(&chain_.sink(0), kBlock);
  AVTXContext* transform = nullptr;
  const float scale = 1;
  // Unaligned: the heap aligns the arrays by less than vector instructions want.
  check(av_tx_init(&transform, &run_, AV_TX_FLOAT_FFT, 0, kBlock, &scale, AV_TX_UNALIGNED), ExitCode::kCodec,
        "cannot measure a spectrum");
  transform_.reset(transform);
  for (int i = 0; i < kBlock; ++i)
    window_.push_back(static_cast<float>(std::sin(std::numbers::pi * (i + 0.5) / kBlock)));  // its mean square is 1/2
}

void SoundSpectrum::add(AVFrame& sound) {
  adapter_.adapt(sound, [this](AVFrame& adapted) { chain_.push(adapted); });
  take();
}

std::vector<std::vector<OctaveLevels>> SoundSpectrum::finish() {
  chain_.end(AV_NOPTS_VALUE);
  take();
  return std::move(levels_);
}

void SoundSpectrum::take() {
  while (const FrameHandle block = chain_.pull(0)) {
    const double begin = static_cast<double>(blocks_++) * kBlock / sample_rate_;
    const auto stretch = std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin();
    if (block->nb_samples < kBlock || stretch == std::ssize(ends_)) continue;
    for (int c = 0; c < channels_; ++c) {
      measure(reinterpret_cast<const float*>(block->extended_data[c]),
              levels_[static_cast<std::size_t>(stretch)][static_cast<std::size_t>(c)]);
    }
  }
}

void SoundSpectrum::measure(const float* samples, OctaveLevels& levels) {
  for (std::size_t i = 0; i < kBlock; ++i) in_[i] = samples[i] * window_[i];
  run_(transform_.get(), out_.data(), in_.data(), sizeof(std::complex<float>));
  std::array<double, OctaveLevels::kOctaves> power{};
  for (std::size_t i = 1; i < kBlock / 2; ++i) {
    const double frequency = static_cast<double>(i) * sample_rate_ / kBlock;
    const double octave = std::clamp(std::ceil(std::log2(frequency / kLowestOctave)), 0.0,
                                     static_cast<double>(OctaveLevels::kOctaves - 1));
    // 4: twice for the other half of the spectrum, and twice for the window.
    power[static_cast<std::size_t>(octave)] += 4.0 * std::norm(out_[i]) / kBlock / kBlock;
  }
  levels.add(power);
}

}  // namespace tributary::segmenter
