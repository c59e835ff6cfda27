#pragma once

extern "C" {
#include <libavutil/tx.h>
}

#include <array>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/filters/filter_chain.hh"
#include "segmenter/filters/sound_adapter.hh"

namespace tributary::segmenter {

/// The level of a sound in each octave, over one stretch of time, in one channel.
class OctaveLevels {
 public:
  /// From below 125 Hz to above 8 kHz.
  static constexpr std::size_t kOctaves = 8;

  void add(const std::array<double, kOctaves>& power);
  /// A difference from `source` that is larger than an encoder makes at a low rate: "is at -91 dB, but the source at
  /// -18 dB". Nothing if there is none.
  std::optional<std::string> difference_from(const OctaveLevels& source) const;

 private:
  /// dB relative to full scale, over `blocks` blocks; blocks that this sound lacks count as silent.
  double level(int blocks) const;
  double level(std::size_t octave, int blocks) const;

  std::array<double, kOctaves> power_{};
  int blocks_ = 0;
};

/// Mixes a sound to a number of channels at a sample rate, and measures it in stretches of time. Holes count as
/// silence.
class SoundSpectrum {
 public:
  /// `ends`: the ends of the stretches, in seconds.
  SoundSpectrum(const SoundFormat& source, int sample_rate, int channels, std::vector<double> ends);

  void add(AVFrame& sound);
  /// Levels of each stretch, of each channel.
  std::vector<std::vector<OctaveLevels>> finish();

 private:
  static constexpr int kBlock = 2048;
  struct TransformFree {
    void operator()(AVTXContext* transform) const { av_tx_uninit(&transform); }
  };

  void take();
  void measure(const float* samples, OctaveLevels& levels);

  int sample_rate_, channels_;
  std::vector<double> ends_;
  SoundAdapter adapter_;
  FilterChain chain_;
  std::unique_ptr<AVTXContext, TransformFree> transform_;
  av_tx_fn run_ = nullptr;
  std::vector<std::complex<float>> in_, out_;
  std::vector<float> window_;
  std::int64_t blocks_ = 0;
  std::vector<std::vector<OctaveLevels>> levels_;
};

}  // namespace tributary::segmenter
