#include <gtest/gtest.h>

#include <numeric>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "joined.hh"
#include "presentation/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

/// Burnt into each picture: its number as sixteen fields, black or white, the lowest bit on the left.
constexpr auto kNumber = "geq=lum='if(mod(floor(N/pow(2,floor(X/10))),2),235,16)':cb=128:cr=128";

/// What a decoder shows of a file or playlist.
std::vector<int> numbers_in(const fs::path& media) {
  const Outcome outcome = run({FFMPEG, "-v", "error", "-i", media.string(), "-map", "0:v", "-vf",
                               "scale=16:1:flags=area,format=gray", "-fps_mode", "passthrough", "-f", "rawvideo", "-"});
  EXPECT_EQ(outcome.error, "");
  std::vector<int> numbers;
  for (std::size_t at = 0; at + 16 <= outcome.out.size(); at += 16) {
    int number = 0;
    for (std::size_t bit = 0; bit < 16; ++bit)
      number |= (static_cast<unsigned char>(outcome.out[at + bit]) > 126) << bit;
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<int> first_numbers(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// As a player that switches takes them: each segment alone, behind the init segment of its quality.
std::vector<int> numbers_in_segments(const fs::path& directory, const Track& track) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < track.sizes.size(); ++i) {
    const std::vector<int> some = numbers_in(joined(directory, track, i, i + 1));
    numbers.insert(numbers.end(), some.begin(), some.end());
  }
  return numbers;
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
    EXPECT_EQ(numbers_in(out / track.id / "playlist.m3u8"), first_numbers(clip.pictures)) << track.id;
    EXPECT_EQ(numbers_in_segments(out, track), first_numbers(clip.pictures)) << track.id;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rates, SegmentNumbers,
    ::testing::Values(Clip{.pictures = 115, .picture_filter = kNumber},
                      Clip{
                          .frame_rate = "30000/1001", .pictures = 131, .sample_rate = 44100, .picture_filter = kNumber},
                      Clip{.frame_rate = "60", .pictures = 250, .picture_filter = kNumber}));

}  // namespace
}  // namespace tributary::segmenter
