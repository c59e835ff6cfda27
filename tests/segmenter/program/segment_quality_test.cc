#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "child_process.hh"
#include "clip.hh"
#include "file_content.hh"
#include "joined.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr int kPicturesWithFigures = 60, kPicturesPerSegment = 25;

/// A figure of each picture from the log of ffmpeg's filter: "n:1 mse_avg:0.51 ..." or "n:1 Y:0.99 ... All:0.98 (19.1)".
std::vector<double> logged(const fs::path& log, const std::string& name) {
  std::vector<double> figures;
  std::istringstream lines{content_of(log)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(name + ":");
    if (at != std::string::npos) figures.push_back(std::strtod(line.c_str() + at + name.size() + 1, nullptr));
  }
  return figures;
}

std::vector<double> means(const std::vector<double>& figures) {
  std::vector<double> sums;
  std::vector<int> counts;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (i % kPicturesPerSegment == 0) {
      sums.push_back(0);
      counts.push_back(0);
    }
    sums.back() += figures[i];
    ++counts.back();
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
  return sums;
}

class SegmentQuality : public ::testing::TestWithParam<std::string> {
 protected:
  /// ffmpeg compares the clip with what came out of it.
  std::vector<double> compared(const fs::path& clip, const fs::path& encoded, const std::string& filter,
                               const std::string& figure) {
    const fs::path log = scratch_.path() / (filter + ".log");
    const Outcome outcome =
        run({FFMPEG, "-v", "error", "-i", clip.string(), "-i", encoded.string(), "-lavfi",
             "[0:v]settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b];[b][a]" + filter + "=stats_file=" + log.string(),
             "-f", "null", "-"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const std::vector<double> figures = logged(log, figure);
    EXPECT_EQ(figures.size(), static_cast<std::size_t>(kPicturesWithFigures));
    return means(figures);
  }

  TemporaryDirectory scratch_;
};

TEST_P(SegmentQuality, FiguresAreThoseOfEverySegment) {
  const fs::path clip = make_clip(scratch_.path(), {.pictures = kPicturesWithFigures, .sample_rate = 0});
  const fs::path output = scratch_.path() / "out";
  const Outcome outcome = run({TRIBUTARY_SEGMENT, clip.string(), "-o", output.string(), "--segment", "1s", "--ladder",
                               "low=40k@80x64,high=100k", "--codec", GetParam(), "--quality", "psnr,ssim"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const Presentation presentation = read_index(content_of(output / "index.json"));
  const Track& high = presentation.tracks[1];
  ASSERT_EQ(high.metrics.psnr.size(), 3u);
  ASSERT_EQ(high.metrics.ssim.size(), 3u);
  EXPECT_EQ(presentation.tracks[0].metrics.psnr.size(), 3u);

  const fs::path encoded = joined(output, high, 0, 3);
  const std::vector<double> errors = compared(clip, encoded, "psnr", "mse_avg");
  const std::vector<double> similarities = compared(clip, encoded, "ssim", "All");
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(high.metrics.psnr[i], 100 * 10 * std::log10(255 * 255 / errors[i]), 2);
    EXPECT_NEAR(high.metrics.ssim[i], 10000 * similarities[i], 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, SegmentQuality, ::testing::Values("h264", "hevc", "av1"));

TEST(SegmentQualityFailure, OtherMetricsAreRefused) {
  const TemporaryDirectory scratch;
  const auto refused = [&](const std::string& metrics) {
    return run({TRIBUTARY_SEGMENT, "clip.mp4", "-o", (scratch.path() / "out").string(), "--quality", metrics});
  };
  EXPECT_EQ(refused("psnr,sharpness").exit_code, 2);
  EXPECT_EQ(refused("").exit_code, 2);
  const Outcome vmaf = refused("psnr,vmaf");
  EXPECT_EQ(vmaf.exit_code, 3);
  EXPECT_THAT(vmaf.error, HasSubstr("libvmaf"));
}

}  // namespace
}  // namespace tributary::segmenter
