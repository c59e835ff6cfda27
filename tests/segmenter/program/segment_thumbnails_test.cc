#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>

#include "child_process.hh"
#include "file_content.hh"
#include "presentation/json/json_index.hh"
#include "temporary_directory.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;
using Color = std::array<int, 3>;  // red, green, blue

constexpr Color kRed{255, 0, 0}, kBlue{0, 0, 255}, kBlack{0, 0, 0};

/// Six seconds of red, and as many of blue.
std::string two_colors(const std::string& size) {
  const auto color = [&](const char* name) { return fmt::format("color=c={}:s={}:r=25:d=6", name, size); };
  return fmt::format("{}[a];{}[b];[a][b]concat=n=2", color("red"), color("blue"));
}

class SegmentThumbnails : public ::testing::Test {
 protected:
  Presentation made(const Words& arguments) {
    Words command{TRIBUTARY_SEGMENT};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.insert(command.end(), {"-o", out_.string(), "--force", "-q"});
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(run({TRIBUTARY_SEGMENT, "check", out_.string()}).out, HasSubstr("all as they should be"));
    return read_index(content_of(out_ / "index.json"));
  }
  /// In the middle of a picture of the sheet.
  Color color_of(const ThumbnailSheets& sheets, std::size_t picture) const {
    const std::size_t a_sheet = sheets.pictures_per_sheet(), columns = static_cast<std::size_t>(sheets.columns);
    const std::string sheet = sheets.sheet_uri(picture / a_sheet);
    const int x = static_cast<int>(picture % a_sheet % columns) * sheets.width + sheets.width / 2;
    const int y = static_cast<int>(picture % a_sheet / columns) * sheets.height + sheets.height / 2;
    const Outcome pixel =
        run({FFMPEG, "-v", "error", "-i", (out_ / sheet).string(), "-vf",
             fmt::format("format=rgb24,crop=1:1:{}:{}", x, y), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"});
    EXPECT_EQ(pixel.out.size(), 3U) << pixel.error;
    Color color{};
    for (std::size_t i = 0; i < color.size() && i < pixel.out.size(); ++i)
      color[i] = static_cast<unsigned char>(pixel.out[i]);
    return color;
  }
  void expect_color(const ThumbnailSheets& sheets, std::size_t picture, const Color& color) const {
    const Color is = color_of(sheets, picture);
    for (std::size_t i = 0; i < color.size(); ++i)
      EXPECT_NEAR(is[i], color[i], 12) << "picture " << picture << ", channel " << i;
  }

  TemporaryDirectory scratch_;
  const fs::path out_ = scratch_.path() / "out";
};

TEST_F(SegmentThumbnails, ShowTheTitleAtTheirTimes) {
  const Presentation title = made({"lavfi:" + two_colors("320x180"), "--ladder", "low=200k,high=400k"});
  ASSERT_TRUE(title.sheets);
  const ThumbnailSheets& sheets = *title.sheets;
  EXPECT_EQ(sheets.width, 160);
  EXPECT_EQ(sheets.height, 90);
  EXPECT_EQ(sheets.ticks, 6ULL * sheets.timescale) << "whole segments of 2 s, and not more often than every 5 s";
  ASSERT_EQ(sheets.pictures, 2U);
  ASSERT_EQ(sheets.sizes.size(), 1U);
  expect_color(sheets, 0, kRed);
  expect_color(sheets, 1, kBlue);
  expect_color(sheets, 2, kBlack);
  EXPECT_THAT(content_of(out_ / "master.m3u8"), HasSubstr(",CODECS=\"jpeg\",RESOLUTION=160x90,URI=\"thumbnails/"));
  EXPECT_THAT(
      content_of(out_ / "thumbnails/playlist.m3u8"),
      HasSubstr("#EXTINF:12.000000,\n#EXT-X-TILES:RESOLUTION=160x90,LAYOUT=5x5,DURATION=6.000000\n00001.jpg\n"));
  EXPECT_THAT(content_of(out_ / "manifest.mpd"),
              HasSubstr("schemeIdUri=\"http://dashif.org/guidelines/thumbnail_tile\" value=\"5x5\""));
}

TEST_F(SegmentThumbnails, ManyFillSeveralSheets) {
  const Presentation title = made({"lavfi:testsrc=s=64x112:r=5:d=172", "--ladder", "low=20k", "--segment", "5s"});
  ASSERT_TRUE(title.sheets);
  EXPECT_EQ(title.sheets->pictures, 35U);
  EXPECT_EQ(title.sheets->sizes.size(), 2U);
  EXPECT_EQ(title.sheets->width, 92) << "the longer side has 160 pixels";
  EXPECT_THAT(content_of(out_ / "thumbnails/playlist.m3u8"), HasSubstr("#EXTINF:47.000000,"));
}

TEST_F(SegmentThumbnails, OfPackagedFilesAreUprightAndInOneFileEach) {
  const std::string film = (scratch_.path() / "film.mp4").string(), turned = (scratch_.path() / "turned.mp4").string();
  const std::string halves = "color=c=red:s=320x180:r=25:d=4,drawbox=w=160:c=blue:t=fill";
  must_run({FFMPEG, "-v", "error", "-f", "lavfi", "-i", halves, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25",
            "-sc_threshold", "0", film});
  must_run({FFMPEG, "-v", "error", "-i", film, "-c", "copy", "-metadata:s:v", "rotate=90", turned});
  const Presentation title = made({"package", turned, "--segment", "1s", "--single-file"});
  ASSERT_TRUE(title.sheets);
  const ThumbnailSheets& sheets = *title.sheets;
  EXPECT_EQ(sheets.width, 90);
  EXPECT_EQ(sheets.height, 160);
  EXPECT_EQ(sheets.ticks, 5ULL * sheets.timescale);
  const Outcome rows = run({FFMPEG, "-v", "error", "-i", (out_ / sheets.sheet_uri(0)).string(), "-vf",
                            "crop=90:160:0:0,scale=1:2:flags=area,format=rgb24", "-f", "rawvideo", "-"});
  ASSERT_EQ(rows.out.size(), 6U) << rows.error;
  EXPECT_NE(rows.out[0] < 0, rows.out[3] < 0) << "one half above the other";
}

TEST_F(SegmentThumbnails, AreLeftOutOnRequestAndReplaced) {
  const std::string film = "lavfi:" + two_colors("64x36");
  const Words quick{film, "--ladder", "low=50k"};
  EXPECT_TRUE(made(quick).sheets);
  EXPECT_TRUE(fs::exists(out_ / "thumbnails/00001.jpg"));
  Words without = quick;
  without.emplace_back("--no-thumbnails");
  EXPECT_FALSE(made(without).sheets);
  EXPECT_FALSE(fs::exists(out_ / "thumbnails/00001.jpg")) << "of the earlier presentation";
  EXPECT_FALSE(fs::exists(out_ / "thumbnails/playlist.m3u8"));
  EXPECT_THAT(content_of(out_ / "manifest.mpd"), Not(HasSubstr("image")));
}

TEST_F(SegmentThumbnails, CheckFindsWhatIsWrongWithThem) {
  made({"lavfi:" + two_colors("64x36"), "--ladder", "low=50k"});
  const auto check = [&] { return run({TRIBUTARY_SEGMENT, "check", out_.string()}); };
  const fs::path sheet = out_ / "thumbnails/00001.jpg", list = out_ / "thumbnails/playlist.m3u8";
  const std::string picture = content_of(sheet);
  fs::remove(list);
  std::ofstream{list} << "#EXTM3U\n";
  EXPECT_THAT(check().out, HasSubstr("thumbnails/playlist.m3u8: is not what the index says"));
  fs::remove(sheet);
  EXPECT_THAT(check().out, HasSubstr("thumbnails/00001.jpg: cannot be read"));
  std::ofstream{sheet} << std::string(picture.size(), 'x');
  EXPECT_EQ(check().exit_code, 5);
  EXPECT_THAT(check().out, HasSubstr("thumbnails/00001.jpg: no JPEG picture"));
}

}  // namespace
}  // namespace tributary::segmenter
