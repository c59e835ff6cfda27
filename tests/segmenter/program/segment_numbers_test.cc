#include <fmt/format.h>
#include <gtest/gtest.h>

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

/// Burnt into each picture: its number as sixteen fields, black or white, the lowest bit on the left.
constexpr auto kNumber = "geq=lum='if(mod(floor(N/pow(2,floor(X/10))),2),235,16)':cb=128:cr=128";

std::vector<int> numbers_of(const std::string& pixels) {
  std::vector<int> numbers;
  for (std::size_t at = 0; at + 16 <= pixels.size(); at += 16) {
    int number = 0;
    for (std::size_t bit = 0; bit < 16; ++bit) number |= (static_cast<unsigned char>(pixels[at + bit]) > 126) << bit;
    numbers.push_back(number);
  }
  return numbers;
}

/// What a decoder shows of files or playlists, of one after the other. Each is decoded by itself, all by one process.
std::vector<int> numbers_in(const std::vector<fs::path>& media, const fs::path& scratch) {
  std::vector<std::string> command{FFMPEG, "-v", "error", "-y"};
  for (const fs::path& file : media) command.insert(command.end(), {"-i", file.string()});
  const auto pixels = [&](std::size_t i) { return scratch / fmt::format("{}.gray", i); };
  for (std::size_t i = 0; i < media.size(); ++i) {
    command.insert(command.end(), {"-map", fmt::format("{}:v", i), "-vf", "scale=16:1:flags=area,format=gray",
                                   "-fps_mode", "passthrough", "-f", "rawvideo", pixels(i).string()});
  }
  EXPECT_EQ(run(command).error, "");
  std::vector<int> numbers;
  for (std::size_t i = 0; i < media.size(); ++i) {
    const std::vector<int> some = numbers_of(content_of(pixels(i)));
    numbers.insert(numbers.end(), some.begin(), some.end());
  }
  return numbers;
}

std::vector<int> first_numbers(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// As a player that switches takes them: each segment alone, behind the init segment of its quality.
std::vector<fs::path> segments_alone(const fs::path& directory, const Track& track) {
  std::vector<fs::path> segments;
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    segments.push_back(directory / fmt::format("alone-{}.mp4", i));
    fs::rename(joined(directory, track, i, i + 1), segments.back());
  }
  return segments;
}

class SegmentNumbers : public ::testing::TestWithParam<Clip> {};

TEST_P(SegmentNumbers, EveryPictureIsShownOnceInEachQualityAndWhereverOneSwitches) {
  const TemporaryDirectory scratch;
  const fs::path out = scratch.path() / "out";
  const Clip clip = GetParam();
  const Outcome outcome =
      run({TRIBUTARY_SEGMENT, make_clip(scratch.path(), clip).string(), "-o", out.string(), "--segment", "1s",
           "--ladder", "low=60k@96x54,medium=100k@128x72,high=300k@160x90", "--preset", "superfast", "-q"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  std::vector<Track> qualities = read_index(content_of(out / "index.json")).tracks;
  std::erase_if(qualities, [](const Track& track) { return track.kind != TrackKind::kVideo; });
  ASSERT_EQ(qualities.size(), 3u);
  ASSERT_GE(qualities[0].sizes.size(), 4u);
  for (const Track& track : qualities) {
    EXPECT_EQ(numbers_in({out / track.id / "playlist.m3u8"}, scratch.path()), first_numbers(clip.pictures)) << track.id;
    EXPECT_EQ(numbers_in(segments_alone(out, track), scratch.path()), first_numbers(clip.pictures)) << track.id;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rates, SegmentNumbers,
    ::testing::ValuesIn(testing::of_sweep<Clip>(
        2, {Clip{.pictures = 115, .picture_filter = kNumber},
            Clip{.frame_rate = "30000/1001", .pictures = 131, .sample_rate = 44100, .picture_filter = kNumber},
            Clip{.frame_rate = "60", .pictures = 250, .picture_filter = kNumber}})));

}  // namespace
}  // namespace tributary::segmenter
