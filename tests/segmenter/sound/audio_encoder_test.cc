#include "segmenter/sound/audio_encoder.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tones.hh"

namespace tributary::segmenter {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Encodes the frames and decodes what comes out, for at least `seconds`.
HeardSound heard_of(const std::vector<FrameHandle>& frames, double seconds, AudioEncoder& encoder) {
  ToneDecoder decoder{*encoder.parameters()};
  const auto take = [&](const AVPacket& packet) { decoder.add(packet); };
  for (const FrameHandle& frame : frames) {
    encoder.push(*frame);
    encoder.encode(take);
  }
  encoder.finish(static_cast<std::uint64_t>(seconds * encoder.sample_rate() / encoder.frame_samples()) + 2, take);
  return decoder.finish();
}

TEST(AudioEncoder, EveryFormOfSoundComesOutWithItsLevelAndSpectrum) {
  for (const SoundForm& form : sound_forms()) {
    SCOPED_TRACE(::testing::PrintToString(form));
    AudioEncoder encoder{form.source(), form.encoding()};
    const HeardSound heard = heard_of(make_tones(form.source(), 0, 0.4), 0.4, encoder);
    expect_tones(heard, encoder.sample_rate(), {0.1, 0.3}, form);
    if (HasFailure()) return;
  }
}

TEST(AudioEncoder, SoundThatBeginsLaterOrHasAHoleIsHeardInItsPlace) {
  for (const SoundCodec codec : {SoundCodec::kAac, SoundCodec::kOpus}) {
    for (const char* const layout : {"mono", "stereo", "5.1"}) {
      const SoundForm form{codec, layout, 44100, AV_SAMPLE_FMT_S16};
      SCOPED_TRACE(::testing::PrintToString(form));
      AudioEncoder encoder{form.source(), form.encoding()};
      std::vector<FrameHandle> frames = make_tones(form.source(), 0.25, 0.85);
      for (FrameHandle& frame : make_tones(form.source(), 1.25, 1.85)) frames.push_back(std::move(frame));
      const HeardSound heard = heard_of(frames, 1.8, encoder);
      expect_silence(heard, encoder.sample_rate(), {0, 0.2});
      expect_tones(heard, encoder.sample_rate(), {0.3, 0.8}, form);
      expect_silence(heard, encoder.sample_rate(), {0.9, 1.2});
      expect_tones(heard, encoder.sample_rate(), {1.3, 1.8}, form);
    }
  }
}

TEST(AudioEncoder, SoundThatChangesItsFormOnTheWayStaysTheSame) {
  for (const SoundCodec codec : {SoundCodec::kAac, SoundCodec::kOpus}) {
    const SoundForm form{codec, "stereo", 44100, AV_SAMPLE_FMT_S16};
    SCOPED_TRACE(::testing::PrintToString(form));
    AudioEncoder encoder{form.source(), form.encoding()};
    SoundForm planar = form;
    planar.samples = AV_SAMPLE_FMT_FLTP;
    std::vector<FrameHandle> frames = make_tones(form.source(), 0, 0.5);
    for (FrameHandle& frame : make_tones(planar.source(), 0.5, 1.1)) frames.push_back(std::move(frame));
    const HeardSound heard = heard_of(frames, 1.1, encoder);
    expect_tones(heard, encoder.sample_rate(), {0.1, 0.4}, form);
    expect_tones(heard, encoder.sample_rate(), {0.6, 1.0}, form);
  }
}

TEST(AudioEncoder, AFrameOfAnotherFormThanAnEncoderWasOpenedForIsRefused) {
  const CodecHandle encoder{avcodec_alloc_context3(avcodec_find_encoder_by_name("libopus"))};
  encoder->sample_fmt = AV_SAMPLE_FMT_FLT;
  encoder->sample_rate = 48000;
  encoder->time_base = {1, 48000};
  av_channel_layout_default(&encoder->ch_layout, 2);
  check(avcodec_open2(encoder.get(), encoder->codec, nullptr), ExitCode::kCodec, "libopus");
  const auto encode = [&](const SoundForm& form) {
    const auto frames = make_tones(form.source(), 0, 0.02);
    encode_frame(*encoder, frames[0].get(), "cannot encode the sound", [](AVPacket&) {});
  };
  SoundForm form{SoundCodec::kOpus, "stereo", 48000, AV_SAMPLE_FMT_FLT};
  EXPECT_NO_THROW(encode(form));
  const auto refused = [&](const SoundForm& other, const std::string& words) {
    EXPECT_THAT([&] { encode(other); },
                ThrowsMessage<Failure>(HasSubstr("cannot encode the sound: the encoder was opened for "
                                                 "flt, 48000 Hz, stereo, but is given " +
                                                 words)));
  };
  refused({form.codec, "stereo", 48000, AV_SAMPLE_FMT_FLTP}, "fltp, 48000 Hz, stereo");
  refused({form.codec, "stereo", 44100, AV_SAMPLE_FMT_FLT}, "flt, 44100 Hz, stereo");
  refused({form.codec, "mono", 48000, AV_SAMPLE_FMT_FLT}, "flt, 48000 Hz, mono");
}

}  // namespace
}  // namespace tributary::segmenter
