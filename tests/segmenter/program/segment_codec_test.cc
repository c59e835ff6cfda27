#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "joined.hh"
#include "marked_clip.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kLadder = "low=60k@112x64,high=200k";

Outcome segment(const fs::path& input, const fs::path& output, const std::vector<std::string>& more) {
  std::vector<std::string> command{TRIBUTARY_SEGMENT, input.string(), "-o", output.string(), "--ladder", kLadder};
  if (std::ranges::find(more, "--segment") == more.end()) command.insert(command.end(), {"--segment", "1s"});
  command.insert(command.end(), more.begin(), more.end());
  return run(command);
}

Presentation segmented(const fs::path& input, const fs::path& output, const std::vector<std::string>& more) {
  const Outcome outcome = segment(input, output, more);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  const Outcome check = run({TRIBUTARY_SEGMENT, "check", output.string()});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  return read_index(content_of(output / "index.json"));
}

/// What the bitstream is, whatever the boxes around it say: ffprobe decodes it.
struct Decoded {
  json stream;
  int frames = 0, keyframes = 0;
};

Decoded decode(const fs::path& path) {
  const Outcome outcome = run({FFPROBE, "-v", "error", "-show_streams", "-show_frames", "-show_entries",
                               "stream:frame=key_frame", "-of", "json", path.string()});
  EXPECT_EQ(outcome.error, "");
  const json probed = json::parse(outcome.out);
  Decoded decoded{probed["streams"][0]};
  for (const json& frame : probed["frames"]) {
    ++decoded.frames;
    decoded.keyframes += frame["key_frame"].get<int>();
  }
  return decoded;
}

/// RFC 6381, from what ffprobe says of the bitstream; of HEVC without the constraints behind the level.
std::string codec_string_of(const json& stream) {
  const std::string codec = stream["codec_name"];
  const int level = stream["level"];
  if (codec == "hevc") return fmt::format("hvc1.1.6.L{}", level);
  if (codec == "av1") return fmt::format("av01.0.{:02}M.08", level);
  return fmt::format("avc1.6400{:02x}", level);
}

struct CodecCase {
  std::string codec, tag;
};
void PrintTo(const CodecCase& value, std::ostream* out) { *out << value.codec; }

class SegmentCodec : public ::testing::TestWithParam<CodecCase> {
 protected:
  TemporaryDirectory scratch_;
};

TEST_P(SegmentCodec, EverySegmentIsAClosedGroupOfExactDuration) {
  const auto& [codec, tag] = GetParam();
  const fs::path output = scratch_.path() / "out";
  const Presentation presentation =
      segmented(make_clip(scratch_.path(), {.frame_rate = "30000/1001", .pictures = 70, .sample_rate = 0}), output,
                {"--codec", codec, "--preset", "superfast"});
  for (const Track& track : presentation.tracks) {
    SCOPED_TRACE(track.id);
    EXPECT_EQ(track.durations, (std::vector<std::uint64_t>{30030, 30030, 10010}));
    const Decoded whole = decode(joined(output, track, 0, 3));
    EXPECT_EQ(whole.frames, 70);
    EXPECT_EQ(whole.stream["codec_tag_string"], tag);
    EXPECT_EQ(track.codec.substr(0, track.codec.find(".90")), codec_string_of(whole.stream));
    const std::vector<int> pictures{30, 30, 10};
    for (std::size_t i = 0; i < 3; ++i) {
      const Decoded alone = decode(joined(output, track, i, i + 1));
      EXPECT_EQ(alone.frames, pictures[i]);
      EXPECT_EQ(alone.keyframes, 1);
    }
  }
  const std::string master = content_of(output / "master.m3u8"), mpd = content_of(output / "manifest.mpd");
  EXPECT_THAT(master, HasSubstr("CODECS=\"" + presentation.tracks[0].codec + "\""));
  EXPECT_THAT(mpd, HasSubstr("codecs=\"" + presentation.tracks[0].codec + "\""));
}

INSTANTIATE_TEST_SUITE_P(Pictures, SegmentCodec,
                         ::testing::Values(CodecCase{"h264", "avc1"}, CodecCase{"hevc", "hvc1"},
                                           CodecCase{"av1", "av01"}));

TEST_P(SegmentCodec, OpusIsThereOnceAndInItsPlaceBesideThePicture) {
  const fs::path output = scratch_.path() / "out";
  const fs::path clip =
      make_marked_clip(scratch_.path(), {.name = "clip.mov", .sample_rate = 44100, .options = {"-c:a", "pcm_s16le"}});
  const Presentation presentation =
      segmented(clip, output, {"--codec", GetParam().codec, "--audio-codec", "opus", "--single-file"});
  const Track* const sound = presentation.find_track("audio");
  ASSERT_NE(sound, nullptr);
  EXPECT_EQ(sound->codec, "Opus");
  EXPECT_EQ(sound->sample_rate, 48000);
  const std::string init = content_of(joined(output, *sound, 0, 1));
  const std::size_t header = init.find("dOps");
  ASSERT_NE(header, std::string::npos);
  EXPECT_EQ(init.substr(header + 4, 4), std::string("\0\1\0\0", 4)) << "version, channels, nothing to skip";
  EXPECT_EQ(decode(joined(output, *sound, 0, sound->sizes.size())).frames, 150) << "3 s of 20 ms";

  const Marks marks = find_marks(output / "master.m3u8", 48000);
  ASSERT_EQ(marks.clicks.size(), 3u);
  ASSERT_EQ(marks.flashes.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(marks.clicks[i], marks.flashes[i], 0.004) << i;
}

/// How many pictures a segment has is up to the user: one, two and three of them, with B-frames and without.
TEST_P(SegmentCodec, SegmentsOfFewPicturesAreWhole) {
  const std::vector<std::string> presets{"ultrafast", "veryfast"};
  const std::vector<std::string> durations{"250ms", "500ms", "750ms"};
  const fs::path clip = make_clip(scratch_.path(), {.frame_rate = "4", .pictures = 7});
  for (const std::string& preset : presets) {
    for (std::size_t pictures = 1; pictures <= durations.size(); ++pictures) {
      SCOPED_TRACE(fmt::format("{}, {} a segment", preset, pictures));
      const fs::path output = scratch_.path() / fmt::format("{} {}", preset, pictures);
      const std::vector<std::string> options{"--codec", GetParam().codec, "--preset",
                                             preset,    "--segment",      durations[pictures - 1]};
      if (pictures == 1 && std::string{GetParam().codec} == "av1") {
        const Outcome outcome = segment(clip, output, options);
        EXPECT_EQ(outcome.exit_code, 3);
        EXPECT_THAT(outcome.error, HasSubstr("no segments of one picture"));
        continue;
      }
      const Presentation made = segmented(clip, output, options);
      const Track& track = made.tracks[1];
      EXPECT_EQ(track.sizes.size(), (7 + pictures - 1) / pictures);
      EXPECT_EQ(decode(joined(output, track, 0, track.sizes.size())).frames, 7);
    }
  }
}

TEST_P(SegmentCodec, AFilmOfAFewPicturesIsWhole) {
  for (int pictures = 1; pictures <= 3; ++pictures) {
    SCOPED_TRACE(pictures);
    const fs::path clip = make_clip(scratch_.path(), {.pictures = pictures, .name = fmt::format("{}.mkv", pictures)});
    const fs::path output = scratch_.path() / std::to_string(pictures);
    const Presentation made = segmented(clip, output, {"--codec", GetParam().codec});
    EXPECT_EQ(decode(joined(output, made.tracks[1], 0, 1)).frames, pictures);
  }
}

TEST(SegmentOfFewPictures, OfAStillIsWhole) {
  const TemporaryDirectory scratch;
  for (const std::string name : {"still.png", "still.jpg"}) {
    const fs::path still = scratch.path() / name, output = scratch.path() / (name + " out");
    must_run({FFMPEG, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90", "-frames:v", "1", still.string()});
    const Presentation made = segmented(still, output, {});
    EXPECT_EQ(decode(joined(output, made.tracks[1], 0, 1)).frames, 1);
  }
}

TEST(SegmentOfFewPictures, LiveAndPackagedIsWhole) {
  const TemporaryDirectory scratch;
  for (std::size_t pictures = 1; pictures <= 3; ++pictures) {
    SCOPED_TRACE(pictures);
    const std::string group = std::to_string(pictures), duration = fmt::format("{}ms", 125 * pictures);
    const fs::path clip = scratch.path() / (group + ".mp4");
    must_run({FFMPEG, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=8", "-frames:v", "10", "-x264-params",
              fmt::format("keyint={0}:min-keyint={0}:scenecut=0:bframes=2", group), clip.string()});
    const fs::path live = scratch.path() / (group + " live"), packaged = scratch.path() / (group + " packaged");
    for (const auto& [task, output] : {std::pair{"live", live}, std::pair{"package", packaged}}) {
      SCOPED_TRACE(task);
      const Outcome outcome =
          run({TRIBUTARY_SEGMENT, task, clip.string(), "-o", output.string(), "--segment", duration, "-q"});
      ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
      const Outcome check = run({TRIBUTARY_SEGMENT, "check", output.string()});
      EXPECT_EQ(check.exit_code, 0) << check.out;
      const Track track = read_index(content_of(output / "index.json")).tracks[0];
      EXPECT_EQ(track.sizes.size(), (10 + pictures - 1) / pictures);
      EXPECT_EQ(decode(joined(output, track, 0, track.sizes.size())).frames, 10);
    }
  }
}

/// Primaries, transfer characteristic, matrix and range, as the bitstream alone states them.
std::string colors_in_bitstream(const fs::path& path) {
  std::string bytes = content_of(path);
  const std::size_t box = bytes.find("colrnclx");
  if (box != std::string::npos) bytes.replace(box, 4, "free");
  const fs::path bare = path.string() + ".bare.mp4";
  std::ofstream{bare, std::ios::binary} << bytes;
  const json stream = json::parse(must_run({FFPROBE, "-v", "error", "-show_streams", "-of", "json", bare.string()}));
  const json& video = stream["streams"][0];
  return fmt::format("{} {} {} {}", video.value("color_primaries", "none"), video.value("color_transfer", "none"),
                     video.value("color_space", "none"), video.value("color_range", "none"));
}

/// The same of the init segment's colr box (ISO/IEC 14496-12 section 12.1.5), as numbers of ITU-T H.273.
std::string colors_in_box(const std::string& init) {
  const std::size_t box = init.find("colrnclx");
  if (box == std::string::npos) return "none";
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(init.at(box + 8 + at)); };
  return fmt::format("{} {} {} {}", byte(1), byte(3), byte(5), byte(6));
}

struct ColorCase {
  std::string size, filter;  // of the source
  std::string in_bitstream, in_box;
};

/// A player that changes the quality must not guess anew.
TEST_P(SegmentCodec, EveryQualityStatesTheColorsOfItsSource) {
  const std::vector<ColorCase> cases{
      {"1280x720", "null", "bt709 bt709 bt709 tv", "1 1 1 0"},
      {"320x240", "null", "smpte170m smpte170m smpte170m tv", "6 6 6 0"},
      {"720x576", "null", "bt470bg smpte170m bt470bg tv", "5 6 5 0"},
      {"320x240", "setparams=colorspace=bt709", "bt709 bt709 bt709 tv", "1 1 1 0"},
      {"320x240", "setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=bt2020-10",
       "bt2020 bt2020-10 bt2020nc tv", "9 14 9 0"},
      {"1280x720", "scale=out_range=pc,format=yuvj420p", "bt709 bt709 bt709 tv", "1 1 1 0"},
      {"320x240", "format=gbrp", "bt709 bt709 bt709 tv", "1 1 1 0"}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].size + " " + cases[i].filter);
    const fs::path clip = scratch_.path() / fmt::format("{}.mkv", i), output = scratch_.path() / std::to_string(i);
    must_run({FFMPEG, "-v", "error", "-f", "lavfi", "-i", "testsrc2=r=25:s=" + cases[i].size, "-vf", cases[i].filter,
              "-frames:v", "3", "-c:v", "ffv1", clip.string()});
    const Presentation made = segmented(clip, output, {"--codec", GetParam().codec});
    for (const Track& track : made.tracks) {
      SCOPED_TRACE(track.id);
      EXPECT_EQ(colors_in_bitstream(joined(output, track, 0, 1)), cases[i].in_bitstream);
      EXPECT_EQ(colors_in_box(content_of(output / track.init->uri)), cases[i].in_box);
    }
  }
}

TEST(SegmentEncoder, OneThatCannotBeUsedIsExit3AndNamed) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 5, .sample_rate = 0});
  const auto error = [&](const std::string& codec, const std::string& encoder) {
    const Outcome outcome = segment(clip, scratch.path() / "out", {"--codec", codec, "--encoder", encoder, "--force"});
    EXPECT_EQ(outcome.exit_code, 3);
    return outcome.error;
  };
  EXPECT_EQ(error("av1", "no_such"), "tributary-segment: this libavcodec was built without the encoder no_such\n");
  EXPECT_EQ(error("hevc", "libx264"), "tributary-segment: libx264 is no encoder of HEVC (--codec says of what)\n");
  EXPECT_THAT(error("h264", "h264_vaapi"), HasSubstr("the encoder h264_vaapi "));
}

}  // namespace
}  // namespace tributary::segmenter
