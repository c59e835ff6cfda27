#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "child_process.hh"
#include "file_content.hh"
#include "json_events.hh"
#include "presentation/json/json_index.hh"
#include "segmenter/plan/segment_plan.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr int kBits = 8;

/// Pictures as they come in a container, each with its number in it: white fields are the bits that are set.
struct NumberedClip {
  std::string name, frame_rate;
  double seconds;
  std::string select = "1";  // which of the pictures at that rate there are
  int pictures;
  FrameRate expected;
  std::string source = "varying";
  int kept = pictures;
  std::vector<std::string> options{};
};

void PrintTo(const NumberedClip& clip, std::ostream* out) { *out << clip.name; }

fs::path make_numbered(const fs::path& directory, const NumberedClip& clip) {
  const fs::path path = directory / clip.name;
  must_run({FFMPEG, "-v", "error", "-f", "lavfi", "-i",
            fmt::format("color=black:s=64x32:r={}:d={},format=yuv420p,select='{}',"
                        "geq=lum='if(mod(floor(N/pow(2,floor(X/8))),2),235,16)':cb=128:cr=128",
                        clip.frame_rate, clip.seconds, clip.select),
            "-vsync", "passthrough", "-enc_time_base", "-1", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0",
            path.string()});
  return path;
}

std::set<int> numbers_in(const fs::path& media) {
  const std::string fields =
      must_run({FFMPEG, "-v", "error", "-i", media.string(), "-vf", "scale=8:1:flags=area,format=gray", "-vsync",
                "passthrough", "-f", "rawvideo", "-"});
  std::set<int> numbers;
  for (std::size_t at = 0; at + kBits <= fields.size(); at += kBits) {
    int number = 0;
    for (std::size_t bit = 0; bit < kBits; ++bit)
      number |= (static_cast<unsigned char>(fields[at + bit]) > 128 ? 1 : 0) << bit;
    numbers.insert(number);
  }
  return numbers;
}

class SegmentPictures : public ::testing::TestWithParam<NumberedClip> {};

TEST_P(SegmentPictures, AreAllThereAtAUsualRate) {
  const NumberedClip& clip = GetParam();
  const TemporaryDirectory scratch;
  const fs::path output = scratch.path() / "out";
  std::vector<std::string> command{TRIBUTARY_SEGMENT,
                                   make_numbered(scratch.path(), clip).string(),
                                   "-o",
                                   output.string(),
                                   "--ladder",
                                   "only=500k@64x32",
                                   "--segment",
                                   "1s",
                                   "--json"};
  command.insert(command.end(), clip.options.begin(), clip.options.end());
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const Track track = read_index(content_of(output / "index.json")).tracks[0];
  EXPECT_EQ((FrameRate{track.frame_rate_num, track.frame_rate_den}), clip.expected);
  const int spare = clip.source == "faster" ? 1 : 0;  // where every second picture is taken, of the last ones
  EXPECT_NEAR(static_cast<int>(numbers_in(output / "only/playlist.m3u8").size()), clip.kept, spare);
  const auto plan = events_in(outcome.out).first;
  EXPECT_EQ(plan["sourceRate"], clip.source);
  EXPECT_NEAR(plan["picturesLost"].get<int>(), clip.pictures - clip.kept, spare);
}

INSTANTIATE_TEST_SUITE_P(
    Rates, SegmentPictures,
    ::testing::Values(NumberedClip{.name = "mixed.mp4",
                                   .frame_rate = "120",
                                   .seconds = 3,
                                   .select = "if(lt(t,1),not(mod(n,5)),if(lt(t,2),not(mod(n,4)),not(mod(n,2))))",
                                   .pictures = 114,
                                   .expected = {60, 1}},
                      NumberedClip{.name = "slow_at_first.mkv",
                                   .frame_rate = "120",
                                   .seconds = 8,
                                   .select = "if(lt(t,6),not(mod(n,5)),not(mod(n,4)))",
                                   .pictures = 204,
                                   .expected = {30, 1}},
                      NumberedClip{.name = "telephone.mp4",
                                   .frame_rate = "30",
                                   .seconds = 5,
                                   .select = "mod(n,15)",
                                   .pictures = 140,
                                   .expected = {30, 1}},
                      NumberedClip{.name = "screen.mkv",
                                   .frame_rate = "60",
                                   .seconds = 4,
                                   .select = "lt(mod(n,60),31)",
                                   .pictures = 124,
                                   .expected = {60, 1},
                                   .source = "constant"},
                      NumberedClip{.name = "film.mkv",
                                   .frame_rate = "24000/1001",
                                   .seconds = 10,
                                   .pictures = 240,
                                   .expected = {24000, 1001},
                                   .source = "constant"},
                      NumberedClip{.name = "broadcast.mkv",
                                   .frame_rate = "60000/1001",
                                   .seconds = 4,
                                   .pictures = 240,
                                   .expected = {60000, 1001},
                                   .source = "constant"},
                      NumberedClip{.name = "fast.mp4",
                                   .frame_rate = "120",
                                   .seconds = 2,
                                   .pictures = 240,
                                   .expected = {60, 1},
                                   .source = "faster",
                                   .kept = 120},
                      NumberedClip{.name = "fast_and_kept.mp4",
                                   .frame_rate = "120",
                                   .seconds = 2,
                                   .pictures = 240,
                                   .expected = {120, 1},
                                   .source = "constant",
                                   .options = {"--max-frame-rate", "120"}}),
    [](const auto& clip) { return fs::path{clip.param.name}.stem().string(); });

TEST(SegmentPicturesOfFields, EachFieldBecomesAPicture) {
  const TemporaryDirectory scratch;
  const fs::path clip = scratch.path() / "fields.ts", output = scratch.path() / "out";
  must_run({FFMPEG, "-v", "error", "-f", "lavfi", "-i",
            "color=black:s=160x96:r=50:d=2,format=yuv420p,geq=lum='16+200*between(mod(X-8*N,160),0,39)':cb=128:cr=128,"
            "interlace=scan=tff:lowpass=off",
            "-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "tff=1", clip.string()});
  const Outcome outcome = run({TRIBUTARY_SEGMENT, clip.string(), "-o", output.string(), "--ladder", "only=500k"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("50 pictures a second, one of each field\n"));
  const std::string luma = must_run({FFMPEG, "-v", "error", "-i", (output / "only/playlist.m3u8").string(), "-vf",
                                     "format=gray,crop=160:1", "-vsync", "passthrough", "-f", "rawvideo", "-"});
  ASSERT_EQ(luma.size(), 100u * 160u);
  int moved = 0;
  for (std::size_t picture = 1; picture < 100; ++picture) {
    int difference = 0;
    for (std::size_t x = 0; x < 160; ++x) {
      const auto at = [&](std::size_t n) { return static_cast<int>(static_cast<unsigned char>(luma[n * 160 + x])); };
      difference += std::abs(at(picture) - at(picture - 1));
    }
    moved += difference > 8 * 200;  // half of what the two edges of the bar come to
  }
  EXPECT_GT(moved, 95);
}

}  // namespace
}  // namespace tributary::segmenter
