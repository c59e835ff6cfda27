#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include "child_process.hh"
#include "file_content.hh"
#include "marked_clip.hh"
#include "presentation/json/json_index.hh"
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
Presentation one_quality(const fs::path& input, const fs::path& output, const Arguments& more = {}) {
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
  const Presentation presentation = one_quality(make_marked_clip(scratch.path(), GetParam()), output);
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
  const Track picture = one_quality(make_marked_clip(scratch.path(), clip), output).tracks[0];
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
  EXPECT_EQ(one_quality(both, output).tracks[0].sizes.size(), 9u);
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
  const Presentation presentation = one_quality(both, output);
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
  const Presentation presentation = one_quality(clip, output, {"--audio-tracks", "all"});
  ASSERT_EQ(presentation.tracks.size(), 4u);
  std::vector<std::string> sounds;
  for (const Track& track : presentation.tracks) sounds.push_back(track.id + " " + track.label.language);
  // The shortest code of RFC 5646; the default of the source comes first.
  EXPECT_THAT(sounds, ::testing::ElementsAre("low ", "audio en", "audio-2 nb", "audio-3 de"));
  EXPECT_EQ(presentation.find_track("audio-2")->sample_rate, 44100);
  expect_in_step(find_marks(output / "master.m3u8", 48000), 3);
  EXPECT_EQ(one_quality(clip, scratch.path() / "one").tracks.size(), 2u);
}

/// A clip with sounds of which each has these options of ffmpeg: "language=ger", "title=...", and dispositions.
struct Sound {
  std::string language, title, disposition;
  int channels = 1;
};

fs::path clip_with_sounds(const fs::path& directory, const std::vector<Sound>& sounds, const std::string& name) {
  fs::path clip = directory / name;
  const fs::path marked = directory / MarkedClip{}.name;
  if (!fs::exists(marked)) make_marked_clip(directory, {});
  Arguments arguments{"-i", marked.string(), "-map", "0:v", "-c:v", "copy", "-c:a", "aac"};
  for (std::size_t i = 0; i < sounds.size(); ++i) {
    const std::string number = std::to_string(i);
    arguments.insert(arguments.end(),
                     {"-map", "0:a", "-metadata:s:a:" + number, "language=" + sounds[i].language,
                      "-metadata:s:a:" + number, "title=" + sounds[i].title, "-disposition:a:" + number,
                      sounds[i].disposition, "-ac:a:" + number, std::to_string(sounds[i].channels)});
  }
  arguments.push_back(clip.string());
  ffmpeg(arguments);
  return clip;
}

TEST(SegmentSource, WhatASoundIsForIsSaidEverywhere) {
  const TemporaryDirectory scratch;
  const fs::path clip = clip_with_sounds(scratch.path(),
                                         {{"ger", "", "default+original"},
                                          {"eng", "Director's \"cut\"", "comment"},
                                          {"ger", "Audiodeskription", "visual_impaired"},
                                          {"eng", "", "dub"}},
                                         "sounds.mkv");
  const fs::path output = scratch.path() / "out";
  const Presentation presentation = one_quality(clip, output, {"--audio-tracks", "all"});
  ASSERT_EQ(presentation.tracks.size(), 5u);
  EXPECT_EQ(presentation.tracks[2].label, (TrackLabel{"en", "Director's \"cut\"", {TrackRole::kCommentary}}));
  EXPECT_EQ(presentation.tracks[3].label, (TrackLabel{"de", "Audiodeskription", {TrackRole::kDescription}}));
  const std::string master = content_of(output / "master.m3u8"), mpd = content_of(output / "manifest.mpd");
  using ::testing::HasSubstr;
  EXPECT_THAT(master, HasSubstr("NAME=\"de\",LANGUAGE=\"de\",DEFAULT=YES,AUTOSELECT=YES,CHANNELS"));
  EXPECT_THAT(master, HasSubstr("NAME=\"Director's 'cut'\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=NO,CHANNELS"));
  EXPECT_THAT(master, HasSubstr("NAME=\"Audiodeskription\",LANGUAGE=\"de\",DEFAULT=NO,AUTOSELECT=YES,"
                                "CHARACTERISTICS=\"public.accessibility.describes-video\",CHANNELS"));
  EXPECT_THAT(mpd, HasSubstr("lang=\"en\""));
  EXPECT_THAT(mpd, HasSubstr("<Label>Director's \"cut\"</Label>"));
  for (const char* value : {"main", "commentary", "description", "alternate", "dub"})
    EXPECT_THAT(mpd, HasSubstr(std::string{"<Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\""} + value + "\""));
  EXPECT_THAT(mpd, HasSubstr("<Accessibility schemeIdUri=\"urn:tva:metadata:cs:AudioPurposeCS:2007\" value=\"1\""));
}

TEST(SegmentSource, TheDefaultSoundIsChosenByWhatTheSourceSaysAndNeverByChannels) {
  const TemporaryDirectory scratch;
  const auto chosen = [&](const std::vector<Sound>& sounds) {
    const fs::path clip = clip_with_sounds(scratch.path(), sounds, "choice.mkv");
    const Presentation presentation = one_quality(clip, scratch.path() / "out", {"--force"});
    fs::remove(clip);
    return presentation.tracks.at(1).label.language;
  };
  EXPECT_EQ(chosen({{"eng", "", "0", 2}, {"fre", "", "0", 6}}), "en");
  EXPECT_EQ(chosen({{"eng", "", "0", 2}, {"fre", "", "default", 1}}), "fr");
  EXPECT_EQ(chosen({{"eng", "", "comment", 2}, {"fre", "", "0", 1}}), "fr");
}

TEST(SegmentSource, ALanguageThatIsNoneIsLeftOutWithAWord) {
  const TemporaryDirectory scratch;
  const fs::path clip = clip_with_sounds(scratch.path(), {{"xyz", "", "default"}}, "xyz.mkv");
  const Outcome outcome = run({TRIBUTARY_SEGMENT, clip.string(), "-o", (scratch.path() / "out").string(), "--ladder",
                               "low=300k", "--preset", "ultrafast"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("xyz.mkv: its stream 1 states the language \"xyz\", which is none"));
  EXPECT_THAT(content_of(scratch.path() / "out/index.json"), ::testing::Not(::testing::HasSubstr("\"lang\"")));
}

/// The media header has three letters; what they do not say is in a box of its own (ISO/IEC 14496-12 section 8.4.6).
TEST(SegmentSource, TheInitSegmentStatesTheLanguage) {
  const TemporaryDirectory scratch;
  const auto init_of = [&](const std::string& language) {
    const fs::path clip = clip_with_sounds(scratch.path(), {{language, "", "default"}}, "init.mkv");
    one_quality(clip, scratch.path() / "out", {"--force"});
    fs::remove(clip);
    return content_of(scratch.path() / "out/audio/init.mp4");
  };
  using ::testing::HasSubstr;
  using ::testing::Not;
  const std::string german = init_of("ger"), brazilian = init_of("pt-BR");
  EXPECT_THAT(german, HasSubstr(std::string{"\x10\xb5", 2}));  // d, e and u, of five bits each
  EXPECT_THAT(german, Not(HasSubstr("elng")));
  EXPECT_THAT(brazilian, HasSubstr(std::string{"\x41\xf2", 2}));  // p, o and r
  EXPECT_THAT(brazilian, HasSubstr(std::string{"\0\0\0\x12"
                                               "elng\0\0\0\0pt-BR\0",
                                               18}));
  EXPECT_EQ(run({FFPROBE, "-v", "error", (scratch.path() / "out/audio/init.mp4").string()}).error, "");
}

/// The edit list of an MP4 whose picture begins later is shorter than its media, and cuts the last picture off.
TEST(SegmentSource, NoPictureIsLostThatBeginsAfterTheSound) {
  const TemporaryDirectory scratch;
  const fs::path clip = scratch.path() / "late.mp4";
  const fs::path whole = make_marked_clip(
      scratch.path(), {.name = "whole.mp4", .options = {"-c:v", "libx264", "-bf", "0", "-c:a", "aac"}});
  for (const std::string delay : {"0.010", "0.021", "0.039"}) {
    ffmpeg({"-y", "-itsoffset", delay, "-i", whole.string(), "-i", whole.string(), "-map", "0:v", "-map", "1:a", "-c",
            "copy", clip.string()});
    const Track picture = one_quality(clip, scratch.path() / "out", {"--force"}).tracks[0];
    EXPECT_EQ(picture.durations, (std::vector<std::uint64_t>(3, picture.timescale))) << delay;
  }
}

TEST(SegmentSource, AFifoIsReadAsAStream) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_marked_clip(scratch.path(), {.name = "clip.ts"}), fifo = scratch.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  ChildProcess writer{{"/bin/sh", "-c", "cat '" + clip.string() + "' > '" + fifo.string() + "'"}};
  const Presentation from_fifo = one_quality(fifo, scratch.path() / "out");
  EXPECT_EQ(writer.wait().exit_code, 0);
  EXPECT_EQ(from_fifo, one_quality(clip, scratch.path() / "again"));
}

TEST(SegmentSource, AStreamWhoseIndexIsAtItsEndIsRefusedWithAHint) {
  const TemporaryDirectory scratch;
  const fs::path clip = scratch.path() / "clip.mp4";
  // More than libavformat keeps of a stream.
  ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "10",
          clip.string()});
  ASSERT_GT(fs::file_size(clip), 200'000u);
  const std::string command = std::string{"cat '"} + clip.string() + "' | '" + TRIBUTARY_SEGMENT + "' - -o '" +
                              (scratch.path() / "out").string() + "'";
  const Outcome outcome = run({"/bin/sh", "-c", command});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.error, ::testing::HasSubstr("give the file by its path, or write it with -movflags +faststart"));
}

/// What was destroyed in the middle is told, with its place, whatever the codec.
TEST(SegmentSource, DamageThatIsConcealedIsReported) {
  const TemporaryDirectory scratch;
  for (const std::string codec : {"libx264", "mpeg2video"}) {
    const fs::path clip = scratch.path() / (codec + ".ts");
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3", "-f", "lavfi", "-i", "sine=d=3", "-c:v", codec, "-b:v",
            "300k", "-c:a", "mp2", clip.string()});
    std::string bytes = content_of(clip);
    const auto told = [&] {
      std::ofstream{clip, std::ios::binary} << bytes;
      return run({TRIBUTARY_SEGMENT, clip.string(), "-o", (scratch.path() / "out").string(), "--force", "--ladder",
                  "low=300k", "--preset", "ultrafast"})
          .error;
    };
    EXPECT_THAT(told(), ::testing::Not(::testing::HasSubstr("damage"))) << codec;
    const std::size_t middle = bytes.size() / 376 * 188;
    bytes.erase(middle, 10 * 188);
    EXPECT_THAT(told(), ::testing::ContainsRegex("decoders concealed damage: about [0-9]+, from [12]\\.[0-9] s to "))
        << codec;
  }
}

TEST(SegmentSource, StretchedPixelsBecomeSquare) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_marked_clip(scratch.path(), {.options = {"-vf", "scale=180:144,setsar=64/45"}});
  const Track picture = one_quality(clip, scratch.path() / "out").tracks[0];
  EXPECT_EQ(picture.width, 256);
  EXPECT_EQ(picture.height, 144);
}

TEST(SegmentSource, OddSidesBecomeEven) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_marked_clip(scratch.path(), {.options = {"-vf", "scale=181:101,format=yuv444p", "-an"}});
  const Presentation presentation = one_quality(clip, scratch.path() / "out");
  EXPECT_EQ(presentation.tracks.size(), 1u);
  EXPECT_EQ(presentation.tracks[0].width, 180);
  EXPECT_EQ(presentation.tracks[0].height, 100);
}

/// A bright bar that moves fast has its two fields at different places: without deinterlacing, neighbouring lines differ.
TEST(SegmentSource, FieldsAreNotShownAsCombs) {
  const TemporaryDirectory scratch;
  const fs::path clip = scratch.path() / "fields.ts";
  const std::string bar =
      "color=black:s=160x96:r=50:d=2,format=yuv420p,geq=lum='16+200*between(mod(X-8*N,160),0,39)':cb=128:cr=128,"
      "interlace=scan=tff:lowpass=off";
  ffmpeg({"-f", "lavfi", "-i", bar, "-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "tff=1", clip.string()});
  one_quality(clip, scratch.path() / "out");
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
  one_quality(clip, scratch.path() / "out");
  EXPECT_NEAR(mean_luma(scratch.path() / "out"), 217, 8);
  const Outcome probed =
      run({FFPROBE, "-v", "error", "-show_entries", "stream=pix_fmt,color_space,color_transfer,color_primaries", "-of",
           "csv=p=0", (scratch.path() / "out/low/playlist.m3u8").string()});
  EXPECT_THAT(probed.out, ::testing::StartsWith("yuv420p,bt709,bt709,bt709"));
}

/// Whatever the source has its numbers in, players find what the tags say.
TEST(SegmentSource, FullRangeAndRgbBecomeWhatIsStated) {
  struct Case {
    std::string filter;
    int luma;
  };
  // Red has 0.2126 of the light of white with the matrix of BT.709, and 0.299 with that of BT.601.
  const std::vector<Case> cases{{"format=yuvj420p,geq=lum=255:cb=128:cr=128", 255},
                                {"format=yuv420p,geq=lum=255:cb=128:cr=128,setparams=range=pc", 255},
                                {"format=gbrp,geq=r=255:g=0:b=0", 54},
                                {"format=gbrp,geq=r=255:g=255:b=255,format=bgr0", 255}};
  const TemporaryDirectory scratch;
  for (const Case& one : cases) {
    SCOPED_TRACE(one.filter);
    const fs::path clip = scratch.path() / "clip.mkv";
    ffmpeg({"-y", "-f", "lavfi", "-i", "color=black:s=96x54:d=1", "-vf", one.filter, "-c:v", "ffv1", clip.string()});
    one_quality(clip, scratch.path() / "out", {"--force"});
    EXPECT_NEAR(mean_luma(scratch.path() / "out"), one.luma, 2);
  }
}

}  // namespace
}  // namespace tributary::segmenter
