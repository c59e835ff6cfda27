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

#include "segmenter/libav/filter_chain.hh"
#include "segmenter/libav/sound_adapter.hh"

namespace tributary::segmenter {

/// How loud a sound is in each octave, over one stretch of time, in one channel.
class OctaveLevels {
 public:
  /// From below 125 Hz to above 8 kHz.
  static constexpr std::size_t kOctaves = 8;

  void add(const std::array<double, kOctaves>& power);
  /// How this differs from `source` by more than an encoder makes at a low rate: "is at -91 dB, but the source at
  /// -18 dB".
  std::optional<std::string> difference_from(const OctaveLevels& source) const;

 private:
  /// dB below full scale, over as many blocks; the rest of them is silent.
  double level(int blocks) const;
  double level(std::size_t octave, int blocks) const;

  std::array<double, kOctaves> power_{};
  int blocks_ = 0;
};

/// Measures a sound, mixed to so many channels at such a rate, in stretches of time. Silence is where it has holes.
class SoundSpectrum {
 public:
  /// `ends`: of the stretches, in seconds.
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
