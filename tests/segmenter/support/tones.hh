#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "segmenter/sound/audio_encoder.hh"

namespace tributary::segmenter {

/// A kind of sound, and what it is encoded as.
struct SoundForm {
  SoundCodec codec = SoundCodec::kAac;
  std::string layout = "stereo";  // mono, stereo, 5.1 or 7.1
  int sample_rate = 48000;
  AVSampleFormat samples = AV_SAMPLE_FMT_FLTP;

  /// As a source; its timestamps count samples.
  SoundFormat source() const;
  SoundEncoding encoding() const;
};
void PrintTo(const SoundForm& form, std::ostream* out);

/// Both codecs, all layouts, 8000 to 96000 Hz, all sample formats.
std::vector<SoundForm> sound_forms();

/// Each channel has a tone of its own, of which none is an octave of another.
inline constexpr double kToneAmplitude = 0.2;
/// Frames of a tenth of a second with these tones, from `begin` to `end` (seconds).
std::vector<FrameHandle> make_tones(const SoundFormat& format, double begin, double end);

/// Samples of each channel.
using HeardSound = std::vector<std::vector<float>>;

class ToneDecoder {
 public:
  explicit ToneDecoder(const AVCodecParameters& codec);
  void add(const AVPacket& packet) { decode(&packet); }
  HeardSound finish();

 private:
  void decode(const AVPacket* packet);

  CodecHandle decoder_;
  HeardSound heard_;
};

/// Seconds, whole tenths of them.
struct Stretch {
  double begin = 0, end = 0;
};

/// Expects the tones in each channel that comes out, mixed as ITU-R BS.775 says and without the LFE, within a decibel; and
/// nothing else above 16 dB below them (from 8 bits, AAC of libavcodec leaves noise 19 dB below).
void expect_tones(const HeardSound& heard, int sample_rate, Stretch stretch, const SoundForm& form);
void expect_silence(const HeardSound& heard, int sample_rate, Stretch stretch);

}  // namespace tributary::segmenter
