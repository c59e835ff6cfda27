#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "child_process.hh"
#include "file_content.hh"
#include "marked_clip.hh"
#include "presentation/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

void ffmpeg(const Arguments& arguments) {
  Arguments command{FFMPEG, "-v", "error"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
}

/// Segments of a second in one quality, which `check` accepts.
Presentation segment(const fs::path& input, const fs::path& output, const Arguments& more = {}) {
  Arguments command{TRIBUTARY_SEGMENT, input.string(), "-o",       output.string(), "--segment", "1s",
                    "--ladder",        "low=300k",     "--preset", "ultrafast"};
  command.insert(command.end(), more.begin(), more.end());
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  const Outcome checked = run({TRIBUTARY_SEGMENT, "check", output.string()});
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.error;
  return read_index(content_of(output / "index.json"));
}

/// The luma of one decoded picture, not of the first.
std::string luma_of(const fs::path& output) {
  const Outcome outcome = run({FFMPEG, "-v", "error", "-i", (output / "low/playlist.m3u8").string(), "-vf",
                               "select='eq(n,10)',format=gray", "-frames:v", "1", "-f", "rawvideo", "-"});
  EXPECT_EQ(outcome.error, "");
  return outcome.out;
}

int mean_luma(const fs::path& output) {
  const std::string luma = luma_of(output);
  int sum = 0;
  for (const char value : luma) sum += static_cast<unsigned char>(value);
  return luma.empty() ? -1 : sum / static_cast<int>(luma.size());
}

/// Clicks beside flashes, within ten milliseconds; `more` for each where pictures are moved to a constant rate.
void expect_in_step(const Marks& marks, std::size_t count, double more = 0) {
  ASSERT_EQ(marks.flashes.size(), count);
  ASSERT_EQ(marks.clicks.size(), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(marks.clicks[i], marks.flashes[i], 0.01 + more) << i;
}

class SegmentMarkedClip : public ::testing::TestWithParam<MarkedClip> {};

TEST_P(SegmentMarkedClip, FlashesWhereItClicks) {
  const TemporaryDirectory scratch;
  const fs::path output = scratch.path() / "out";
  const Presentation presentation = segment(make_marked_clip(scratch.path(), GetParam()), output);
  expect_in_step(find_marks(output / "master.m3u8", presentation.find_track("audio")->sample_rate), 3);
}

std::string name_of(const ::testing::TestParamInfo<MarkedClip>& clip) {
  const auto is_other = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; };
  std::string name = clip.param.name + "_" + clip.param.frame_rate;
  std::replace_if(name.begin(), name.end(), is_other, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Sources, SegmentMarkedClip,
    ::testing::Values(
        MarkedClip{"film.mp4", "24", 48000, {"-c:a", "aac"}},
        MarkedClip{"mono.mkv", "30000/1001", 44100, {"-ac", "1", "-c:a", "pcm_s16le"}},
        MarkedClip{"six_channels.mkv", "25", 48000, {"-ac", "6", "-c:a", "ac3"}},
        MarkedClip{"reordered.ts", "50", 48000, {"-bf", "3", "-c:a", "aac"}},
        MarkedClip{"fast.mov", "60000/1001", 44100, {"-c:a", "aac"}},
        MarkedClip{"begins_after_ten_hours.ts", "25", 48000, {"-c:a", "aac", "-output_ts_offset", "36000"}},
        MarkedClip{"clock_overflows.ts", "25", 48000, {"-c:a", "aac", "-output_ts_offset", "95442.2"}},
        MarkedClip{"slow_to_begin.mkv", "25", 48000, {"-ss", "0.2", "-c:a", "flac", "-af", "atrim=start=0.4"}}),
    name_of);

TEST(SegmentSource, AVaryingFrameRateStaysInStepWithTheSound) {
  const TemporaryDirectory scratch;
  const MarkedClip clip{
      "varying.mp4", "60", 48000, {"-vf", "select='lt(t,1.1)+not(mod(n,3))'", "-vsync", "vfr", "-c:a", "aac"}};
  const fs::path output = scratch.path() / "out";
  const Track picture = segment(make_marked_clip(scratch.path(), clip), output).tracks[0];
  expect_in_step(find_marks(output / "master.m3u8", 48000), 3, 0.5 * picture.frame_rate_den / picture.frame_rate_num);
}

/// A recording whose clock jumps, back to its beginning or ahead by hours, goes on without a hole or a loss.
TEST(SegmentSource, RecordingsPutTogetherPlayOneAfterTheOther) {
  const TemporaryDirectory scratch;
  const fs::path first = make_marked_clip(scratch.path(), {.name = "first.ts", .options = {"-c:a", "aac"}});
  const fs::path late =
      make_marked_clip(scratch.path(), {.name = "late.ts", .options = {"-c:a", "aac", "-output_ts_offset", "36000"}});
  const fs::path both = scratch.path() / "both.ts";
  std::ofstream{both, std::ios::binary} << content_of(first) << content_of(late) << content_of(first);
  const fs::path output = scratch.path() / "out";
  EXPECT_EQ(segment(both, output).tracks[0].sizes.size(), 9u);
  expect_in_step(find_marks(output / "master.m3u8", 48000), 9, 0.03);  // what of an audio frame is missing at a joint
}

TEST(SegmentSource, ASourceThatChangesItsFormKeepsThatOfItsBeginning) {
  const TemporaryDirectory scratch;
  const fs::path first = make_marked_clip(scratch.path(), {.name = "first.ts", .options = {"-ac", "2", "-c:a", "ac3"}});
  const fs::path second = make_marked_clip(
      scratch.path(),
      {.name = "second.ts", .sample_rate = 44100, .options = {"-vf", "scale=320:180", "-ac", "6", "-c:a", "ac3"}});
  const fs::path both = scratch.path() / "both.ts";
  std::ofstream{both, std::ios::binary} << content_of(first) << content_of(second) << content_of(first);
  const fs::path output = scratch.path() / "out";
  const Presentation presentation = segment(both, output);
  EXPECT_EQ(presentation.tracks[0].width, 160);
  EXPECT_EQ(presentation.tracks[0].sizes.size(), 9u);
  expect_in_step(find_marks(output / "master.m3u8", 48000), 9, 0.03);
}

TEST(SegmentSource, EverySoundBecomesATrackWithItsLanguage) {
  const TemporaryDirectory scratch;
  const fs::path marked = make_marked_clip(scratch.path(), {}), clip = scratch.path() / "languages.mkv";
  ffmpeg({"-i",
          marked.string(),
          "-f",
          "lavfi",
          "-i",
          "sine=f=500:r=44100:d=3",
          "-map",
          "0:v",
          "-map",
          "1:a",
          "-map",
          "0:a",
          "-map",
          "0:a",
          "-c:v",
          "copy",
          "-c:a",
          "flac",
          "-metadata:s:a:0",
          "language=nob",
          "-metadata:s:a:1",
          "language=eng",
          "-metadata:s:a:2",
          "language=deu",
          "-disposition:a:0",
          "0",
          "-disposition:a:1",
          "default",
          clip.string()});
  const fs::path output = scratch.path() / "out";
  const Presentation presentation = segment(clip, output, {"--audio-tracks", "all"});
  ASSERT_EQ(presentation.tracks.size(), 4u);
  std::vector<std::string> sounds;
  for (const Track& track : presentation.tracks) sounds.push_back(track.id + " " + track.language);
  EXPECT_THAT(sounds, ::testing::ElementsAre("low ", "audio eng", "audio-2 nob", "audio-3 deu"));
  EXPECT_EQ(presentation.find_track("audio-2")->sample_rate, 44100);
  expect_in_step(find_marks(output / "master.m3u8", 48000), 3);
  EXPECT_EQ(segment(clip, scratch.path() / "one").tracks.size(), 2u);
}

TEST(SegmentSource, StretchedPixelsBecomeSquare) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_marked_clip(scratch.path(), {.options = {"-vf", "scale=180:144,setsar=64/45"}});
  const Track picture = segment(clip, scratch.path() / "out").tracks[0];
  EXPECT_EQ(picture.width, 256);
  EXPECT_EQ(picture.height, 144);
}

TEST(SegmentSource, OddSidesBecomeEven) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_marked_clip(scratch.path(), {.options = {"-vf", "scale=181:101,format=yuv444p", "-an"}});
  const Presentation presentation = segment(clip, scratch.path() / "out");
  EXPECT_EQ(presentation.tracks.size(), 1u);
  EXPECT_EQ(presentation.tracks[0].width, 180);
  EXPECT_EQ(presentation.tracks[0].height, 100);
}

/// A bright bar that moves fast has its two fields at different places: without deinterlacing, neighbouring lines differ.
TEST(SegmentSource, FieldsAreNotShownAsCombs) {
  const TemporaryDirectory scratch;
  const fs::path clip = scratch.path() / "fields.ts";
  ffmpeg({"-f", "lavfi", "-i",
          "color=black:s=160x96:r=50:d=2,format=yuv420p,geq=lum='16+200*between(mod(X-8*N,160),0,39)':cb=128:cr=128,"
          "interlace=scan=tff:lowpass=off",
          "-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "tff=1", clip.string()});
  segment(clip, scratch.path() / "out");
  const std::string luma = luma_of(scratch.path() / "out");
  ASSERT_EQ(luma.size(), 160u * 96u);
  int combed = 0;
  for (std::size_t i = 160; i + 160 < luma.size(); ++i) {
    const auto at = [&](std::size_t place) { return static_cast<int>(static_cast<unsigned char>(luma[place])); };
    combed += at(i) - at(i - 160) > 60 && at(i) - at(i + 160) > 60;
  }
  EXPECT_LT(combed, 50);  // of some 700 that are combed when nothing is done
}

TEST(SegmentSource, HighDynamicRangeIsShownAsUsual) {
  const TemporaryDirectory scratch;
  const fs::path clip = scratch.path() / "hdr.mp4";
  // The white of paper, 203 cd/m2, is 0.58 in this transfer function. Taken for the usual one it would be grey, 148.
  ffmpeg({"-f", "lavfi", "-i", "color=black:s=96x54:d=1,format=yuv420p10le,geq=lum=573:cb=512:cr=512", "-c:v",
          "libx264", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc",
          clip.string()});
  segment(clip, scratch.path() / "out");
  EXPECT_NEAR(mean_luma(scratch.path() / "out"), 217, 8);
  const Outcome probed =
      run({FFPROBE, "-v", "error", "-show_entries", "stream=pix_fmt,color_space,color_transfer,color_primaries", "-of",
           "csv=p=0", (scratch.path() / "out/low/playlist.m3u8").string()});
  EXPECT_THAT(probed.out, ::testing::StartsWith("yuv420p,bt709,bt709,bt709"));
}

}  // namespace
}  // namespace tributary::segmenter
