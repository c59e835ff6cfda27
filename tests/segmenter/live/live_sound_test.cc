#include "segmenter/live/live_sound.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>

#include "file_content.hh"
#include "temporary_directory.hh"
#include "tones.hh"

namespace tributary::segmenter {
namespace {

/// What is in the segments of the track.
HeardSound heard_in(const std::filesystem::path& directory, const Track& track) {
  const std::filesystem::path path = directory / "joined.mp4";
  std::ofstream joined{path, std::ios::binary};
  joined << content_of(directory / track.init->uri);
  for (std::size_t i = 0; i < track.sizes.size(); ++i)
    joined << content_of(directory / track.segment(static_cast<SegmentIndex>(i)).uri);
  joined.close();
  const std::atomic<bool> interrupted{false};
  InputFile file{path.string(), interrupted};
  ToneDecoder decoder{*file.stream(0).codecpar};
  for (const PacketHandle packet = make_packet(); file.read(*packet); av_packet_unref(packet.get()))
    decoder.add(*packet);
  return decoder.finish();
}

TEST(LiveSound, EveryFormOfSoundComesOutAndSilenceWhereNoneCame) {
  const SegmentPlan plan{{25, 1}, std::chrono::milliseconds{400}};
  for (const SoundForm& form : sound_forms()) {
    if (form.sample_rate != 44100 && form.sample_rate != 48000) continue;
    SCOPED_TRACE(::testing::PrintToString(form));
    const TemporaryDirectory scratch;
    const Publication publication{scratch.path(), Publication::Existing::kRefuse};
    LiveSound sound{form.source(), form.encoding(), {2, 25}, plan, {publication}};
    for (const FrameHandle& frame : make_tones(form.source(), 0, 0.7)) sound.add(*frame);
    sound.keep_up(25, false);  // a second of the picture
    for (const FrameHandle& frame : make_tones(form.source(), 1, 1.7)) sound.add(*frame);
    const Track track = sound.finish(40);
    EXPECT_EQ(track.sizes.size(), 4u);
    const HeardSound heard = heard_in(scratch.path(), track);
    expect_tones(heard, track.sample_rate, {0.1, 0.6}, form);
    expect_silence(heard, track.sample_rate, {0.8, 0.9});
    expect_tones(heard, track.sample_rate, {1.1, 1.6}, form);
    if (HasFailure()) return;
  }
}

TEST(LiveSound, AClockThatIsPutRightIsNotHeard) {
  const SegmentPlan plan{{25, 1}, std::chrono::milliseconds{400}};
  const SoundForm form = sound_forms().front();
  SoundEncoding encoding = form.encoding();
  encoding.stretches = true;
  const TemporaryDirectory scratch;
  const Publication publication{scratch.path(), Publication::Existing::kRefuse};
  LiveSound sound{form.source(), encoding, {2, 25}, plan, {publication}};
  for (const FrameHandle& frame : make_tones(form.source(), 0, 20)) {
    frame->pts += frame->pts / 200;
    sound.add(*frame);
  }
  const Track track = sound.finish(500);
  const HeardSound heard = heard_in(scratch.path(), track);
  // Without stretching, silence fills a hole of 30 ms every 6 s.
  std::size_t silent = 0, longest = 0;
  for (std::size_t i = heard[0].size() / 20; i < heard[0].size() * 19 / 20; ++i) {
    silent = std::abs(heard[0][i]) < 0.002F ? silent + 1 : 0;
    longest = std::max(longest, silent);
  }
  EXPECT_LT(longest, 100U);
}

/// How many seconds the sound has been published for.
class Published : public SegmentListener {
 public:
  void segment_written(const WrittenSegment& segment) override { seconds += segment.seconds; }
  double seconds = 0;
};

TEST(LiveSound, SoundThatStopsIsWaitedForOnce) {
  const SegmentPlan plan{{25, 1}, std::chrono::milliseconds{400}};
  const SoundForm form = sound_forms().front();
  const TemporaryDirectory scratch;
  const Publication publication{scratch.path(), Publication::Existing::kRefuse};
  Published published;
  LiveSound sound{form.source(), form.encoding(), {2, 25}, plan, {publication, 1, {}, &published}};
  for (const FrameHandle& frame : make_tones(form.source(), 0, 1)) sound.add(*frame);
  sound.keep_up(45, true);
  EXPECT_LT(published.seconds, 1.1);
  sound.keep_up(55, true);
  EXPECT_GT(published.seconds, 1.9) << "not a second behind the picture";
  sound.keep_up(65, true);
  EXPECT_GT(published.seconds, 2.3);
  // When it is back, it is waited for again.
  for (const FrameHandle& frame : make_tones(form.source(), 2.5, 3)) sound.add(*frame);
  sound.keep_up(95, true);
  EXPECT_LT(published.seconds, 3.1);
  sound.finish(100);
}

}  // namespace
}  // namespace tributary::segmenter
