#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "joined.hh"
#include "presentation/json/json_index.hh"
#include "support/sweep.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Presentation index_in(const fs::path& directory) { return read_index(content_of(directory / "index.json")); }

/// Runs tributary-segment with a small ladder in segments of a second; expects success.
Presentation segment(const fs::path& input, const fs::path& output, const std::vector<std::string>& more = {}) {
  std::vector<std::string> command{TRIBUTARY_SEGMENT, input.string(), "-o",       output.string(),
                                   "--segment",       "1s",           "--ladder", "low=60k@96x54,high=200k"};
  command.insert(command.end(), more.begin(), more.end());
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return index_in(output);
}

json probe(const fs::path& path) {
  const Outcome outcome = run({FFPROBE, "-v", "error", "-show_packets", "-show_streams", "-of", "json", path.string()});
  EXPECT_EQ(outcome.error, "");
  return json::parse(outcome.out);
}

struct SegmentTimes {
  std::int64_t begin = INT64_MAX;  // first presentation time in ticks
  std::int64_t ticks = 0;          // from the first to the end of the last packet in decoding order
  std::size_t packets = 0, key_packets = 0;
  bool begins_with_key = false;
};

SegmentTimes times_of(const json& probed) {
  SegmentTimes times;
  for (const json& packet : probed["packets"]) {
    const bool key = packet["flags"].get<std::string>().starts_with('K');
    if (times.packets == 0) times.begins_with_key = key;
    times.begin = std::min(times.begin, packet["pts"].get<std::int64_t>());
    times.key_packets += key;
    ++times.packets;
  }
  const json& last = probed["packets"].back();
  times.ticks = last["dts"].get<std::int64_t>() + last["duration"].get<std::int64_t>() -
                probed["packets"].front()["dts"].get<std::int64_t>();
  return times;
}

/// Each of the files by itself; in one process, because to start one takes longer than to decode a second.
void expect_decode(const std::vector<fs::path>& files) {
  std::vector<std::string> command{FFMPEG, "-v", "error", "-xerror"};
  for (const fs::path& file : files) command.insert(command.end(), {"-i", file.string()});
  for (std::size_t i = 0; i < files.size(); ++i)
    command.insert(command.end(), {"-map", std::to_string(i), "-f", "null", "-"});
  const Outcome outcome = run(command);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.error, "");
}

/// Every segment holds what the index says of it, starts where the one before ended, and plays on its own.
/// Returns the number of packets.
std::size_t expect_true_index(const fs::path& directory, const Track& track) {
  EXPECT_EQ(fs::file_size(directory / track.init->uri), track.init->range.size().bytes());
  std::size_t packets = 0;
  std::int64_t time = track.offset;
  std::vector<fs::path> segments;
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    SCOPED_TRACE(track.id + " segment " + std::to_string(i));
    EXPECT_EQ(fs::file_size(directory / track.segment(static_cast<SegmentIndex>(i)).uri), track.sizes[i].bytes());
    const fs::path alone = directory / fmt::format("alone-{}.mp4", i);
    fs::rename(joined(directory, track, i, i + 1), alone);
    const SegmentTimes times = times_of(probe(alone));
    EXPECT_EQ(times.begin, time);
    EXPECT_EQ(times.ticks, track.durations[i]);
    EXPECT_TRUE(times.begins_with_key);
    if (track.kind == TrackKind::kVideo) {
      EXPECT_EQ(times.key_packets, 1u);
      segments.push_back(alone);
    }
    time += times.ticks;
    packets += times.packets;
  }
  if (!segments.empty()) expect_decode(segments);
  return packets;
}

double seconds_until(const Track& track, std::size_t segment) {
  const auto end = track.durations.begin() + static_cast<std::ptrdiff_t>(segment);
  return static_cast<double>(std::accumulate(track.durations.begin(), end, std::uint64_t{0})) / track.timescale;
}

double start_time(const json& probed) { return std::stod(probed["streams"][0]["start_time"].get<std::string>()); }

class SegmentClip : public ::testing::TestWithParam<Clip> {
 protected:
  TemporaryDirectory scratch_;
};

TEST_P(SegmentClip, IsWhatTheIndexSaysAndPlays) {
  const fs::path output = scratch_.path() / "out";
  const Presentation presentation = segment(make_clip(scratch_.path(), GetParam()), output);
  ASSERT_EQ(presentation.tracks.size(), GetParam().sample_rate > 0 ? 3u : 2u);
  const Track& picture = presentation.tracks[0];
  EXPECT_EQ(presentation.tracks[1].group, picture.group);  // so the reader has compared their durations

  for (const Track& track : presentation.tracks) {
    SCOPED_TRACE(track.id);
    const std::size_t packets = expect_true_index(output, track);
    if (track.kind == TrackKind::kVideo) {
      EXPECT_EQ(packets, static_cast<std::size_t>(GetParam().pictures));
    }
    const fs::path whole = joined(output, track, 0, track.sizes.size());
    expect_decode({whole});
    EXPECT_NEAR(start_time(probe(whole)), static_cast<double>(picture.offset) / picture.timescale,
                1.0 / track.timescale + 1e-6);
  }
  if (const Track* sound = presentation.find_track("audio")) {
    EXPECT_EQ(sound->sample_rate, GetParam().sample_rate);
    for (std::size_t i = 1; i <= sound->sizes.size(); ++i) {
      EXPECT_NEAR(seconds_until(*sound, i), seconds_until(picture, i), 512.0 / sound->sample_rate + 1e-9) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    FrameAndSampleRates, SegmentClip,
    ::testing::ValuesIn(testing::of_sweep<Clip>(
        2, {Clip{.frame_rate = "25"}, Clip{.frame_rate = "30000/1001", .sample_rate = 44100},
            Clip{.frame_rate = "30", .sample_rate = 0}, Clip{.frame_rate = "60", .pictures = 100},
            Clip{.frame_rate = "25", .pictures = 51, .sample_rate = 44100, .name = "a b/the clip: 1%.mkv"},
            Clip{.frame_rate = "30000/1001", .sound_codec = "aac", .name = "clip.ts"}})));

TEST(SegmentInput, SoundKeepsItsPlaceBesideThePicture) {
  const TemporaryDirectory scratch;
  const Presentation presentation =
      segment(make_clip(scratch.path(), {.sound_delay = "0.7", .name = "late.mov"}), scratch.path() / "out");
  EXPECT_NEAR(tone_begins(scratch.path() / "out", *presentation.find_track("audio")), 0.7, 0.01);
}

TEST(SegmentInput, SilenceFollowsSoundThatEndsEarly) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {});
  const fs::path cut = scratch.path() / "cut.mkv";
  ASSERT_EQ(run({FFMPEG, "-v", "error", "-i", clip.string(), "-t", "0.5", "-i", clip.string(), "-map", "0:v", "-map",
                 "1:a", "-c", "copy", cut.string()})
                .exit_code,
            0);
  const Presentation presentation = segment(cut, scratch.path() / "out");
  EXPECT_EQ(presentation.tracks[0].sizes.size(), 4u);  // and as many of the sound, or the reader had refused
}

TEST(SegmentInput, AVaryingFrameRateBecomesConstant) {
  const TemporaryDirectory scratch;
  const Presentation presentation =
      segment(make_clip(scratch.path(), {.pictures = 80, .picture_filter = "select='not(eq(mod(n,4),3))'"}),
              scratch.path() / "out");
  const Track& picture = presentation.tracks[0];
  EXPECT_NEAR(seconds_until(picture, picture.durations.size()), 80 * 4.0 / 3 / 25, 0.1);
}

TEST(SegmentInput, ThePictureIsShownUpright) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 30, .name = "clip.mov"});
  const fs::path turned = scratch.path() / "turned.mov";
  ASSERT_EQ(
      run({FFMPEG, "-v", "error", "-i", clip.string(), "-c", "copy", "-metadata:s:v", "rotate=90", turned.string()})
          .exit_code,
      0);
  const Track picture = segment(turned, scratch.path() / "out").tracks[1];
  EXPECT_EQ(picture.width, 90);
  EXPECT_EQ(picture.height, 160);
}

TEST(SegmentInput, SoundCanBeLeftOut) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 30});
  EXPECT_EQ(segment(clip, scratch.path() / "out", {"--audio", "none"}).find_track("audio"), nullptr);
}

TEST(SegmentInput, DamagedPacketsArePassedOver) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.sound_codec = "aac", .name = "clip.ts"});
  std::string bytes = content_of(clip);
  for (std::size_t i = bytes.size() / 3; i < bytes.size() / 3 + 3000; ++i)
    bytes[i] = static_cast<char>(bytes[i] ^ 0x5a);
  std::ofstream{clip, std::ios::binary} << bytes;
  const Presentation presentation = segment(clip, scratch.path() / "out");
  EXPECT_GE(presentation.tracks[0].sizes.size(), 3u);
}

TEST(SegmentInput, AFileThatWasCutShortIsReported) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 150});
  fs::resize_file(clip, fs::file_size(clip) / 2);
  const Outcome outcome = run({TRIBUTARY_SEGMENT, clip.string(), "-o", (scratch.path() / "out").string()});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.error,
              ::testing::ContainsRegex("the picture ends after [0-9.]+ s, but the file says that it lasts 6"));
}

TEST(SegmentInput, TheSameInputGivesTheSameBytes) {
  const TemporaryDirectory scratch;
  const fs::path clip = make_clip(scratch.path(), {.pictures = 30});
  const Presentation presentation = segment(clip, scratch.path() / "a");
  EXPECT_EQ(segment(clip, scratch.path() / "b"), presentation);
  for (const Track& track : presentation.tracks) {
    const std::string name = track.segment(SegmentIndex{0}).uri;
    EXPECT_EQ(content_of(scratch.path() / "a" / name), content_of(scratch.path() / "b" / name)) << name;
  }
}

}  // namespace
}  // namespace tributary::segmenter
