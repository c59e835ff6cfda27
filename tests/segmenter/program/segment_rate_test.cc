#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "child_process.hh"
#include "file_content.hh"
#include "joined.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

constexpr int kPictures = 100;

/// Two seconds that are easy to encode, and two that are not.
class SegmentRate : public ::testing::Test {
 protected:
  SegmentRate() {
    EXPECT_EQ(run({FFMPEG, "-v", "error", "-f", "lavfi", "-i",
                   "testsrc2=s=160x90:r=25:d=4,noise=alls=20:allf=t:enable='gte(t,2)'", "-c:v", "libx264", "-preset",
                   "ultrafast", "-crf", "10", clip_.string()})
                  .exit_code,
              0);
  }

  Track encoded(const std::string& name, const std::vector<std::string>& more) {
    const fs::path output = scratch_.path() / name;
    std::vector<std::string> command{TRIBUTARY_SEGMENT, clip_.string(), "-o",       output.string(),
                                     "--segment",       "1s",           "--ladder", "only=150k"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const Track track = read_index(content_of(output / "index.json")).tracks[0];
    EXPECT_EQ(pictures_in(joined(output, track, 0, track.sizes.size())), kPictures);
    EXPECT_FALSE(fs::exists(output / ".first-pass"));
    return track;
  }

  fs::path clip() const { return clip_; }
  fs::path output(const std::string& name) const { return scratch_.path() / name; }

 private:
  static int pictures_in(const fs::path& path) {
    const Outcome outcome = run({FFPROBE, "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
                                 "-of", "csv=p=0", path.string()});
    return std::atoi(outcome.out.c_str());
  }

  TemporaryDirectory scratch_;
  fs::path clip_ = scratch_.path() / "a clip: with 'marks'.mp4";
};

double error_of(const Track& track) { return std::abs(track.bitrate.average.bits_per_second() / 150e3 - 1); }

TEST_F(SegmentRate, TwoPassesComeCloserToTheAverageThanOne) {
  for (const std::string codec : {"h264", "hevc"}) {
    SCOPED_TRACE(codec);
    const Track one = encoded(codec + ": one", {"--codec", codec});
    const Track two = encoded(codec + ": two", {"--codec", codec, "--rate-control", "2pass"});
    EXPECT_LT(error_of(two), error_of(one));
    EXPECT_LT(error_of(two), 0.1);
  }
}

TEST_F(SegmentRate, AConstantQualityTakesNoMoreThanItNeeds) {
  const auto rate = [&](const std::string& name, const std::string& codec, const std::string& crf) {
    return encoded(name, {"--codec", codec, "--rate-control", "capped-crf", "--crf", crf}).bitrate.average;
  };
  EXPECT_LT(rate("bad", "h264", "45"), 0.4 * DataRate::bits_per_second(150e3));
  // The limit, and what the buffer of two seconds adds to these four.
  EXPECT_LT(rate("good", "h264", "10"), 1.5 * DataRate::bits_per_second(150e3));
  EXPECT_LT(rate("hevc", "hevc", "45"), 0.4 * DataRate::bits_per_second(150e3));
  EXPECT_LT(rate("av1", "av1", "60"), 0.4 * DataRate::bits_per_second(150e3));
}

TEST_F(SegmentRate, WhatCannotBeDoneIsRefused) {
  const auto exit_code = [&](const std::vector<std::string>& more, const std::string& input) {
    std::vector<std::string> command{TRIBUTARY_SEGMENT, input, "-o", output("refused").string()};
    command.insert(command.end(), more.begin(), more.end());
    return run(command).exit_code;
  };
  EXPECT_EQ(exit_code({"--rate-control", "2pass"}, "-"), 2);
  EXPECT_EQ(exit_code({"--crf", "20"}, clip().string()), 2);
  EXPECT_EQ(exit_code({"--codec", "av1", "--rate-control", "2pass"}, clip().string()), 3);
  EXPECT_FALSE(fs::exists(output("refused")));
}

TEST_F(SegmentRate, TheAutomaticLadderGoesAsFarAsTheSource) {
  const fs::path directory = output("auto");
  ASSERT_EQ(run({TRIBUTARY_SEGMENT, clip().string(), "-o", directory.string(), "--ladder", "auto"}).exit_code, 0);
  const Presentation presentation = read_index(content_of(directory / "index.json"));
  ASSERT_EQ(presentation.tracks.size(), 1u);
  EXPECT_EQ(presentation.tracks[0].id, "90p");
}

}  // namespace
}  // namespace tributary::segmenter
