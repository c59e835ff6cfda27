#include "sink/file_sink.hh"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "support/files.hh"
#include "support/media_parts.hh"

namespace tributary {
namespace {

using testing::content;
using testing::media_part;

class FileSinkTest : public testing::DirectoryTest {};

TEST_F(FileSinkTest, PictureAndSoundGoToFilesOfTheirOwn) {
  const std::string path = directory_ + "/film.mp4";
  FileSink sink{path};
  sink.take(SegmentIndex{0},
            {media_part(TrackKind::kAudio, true, "[sound]"), media_part(TrackKind::kVideo, true, "[picture]"),
             media_part(TrackKind::kAudio, false, "s0"), media_part(TrackKind::kVideo, false, "p0")});
  sink.take(SegmentIndex{1}, {media_part(TrackKind::kVideo, false, "p1")});
  sink.close();
  EXPECT_EQ(content(path), "[picture]p0p1");
  EXPECT_EQ(content(directory_ + "/film.audio.mp4"), "[sound]s0");
}

TEST_F(FileSinkTest, WithoutSoundThereIsOneFile) {
  FileSink sink{directory_ + "/data"};
  sink.take(SegmentIndex{0}, {media_part(TrackKind::kData, false, "x")});
  sink.close();
  EXPECT_FALSE(std::filesystem::exists(FileSink::audio_path(directory_ + "/data")));
}

TEST_F(FileSinkTest, ADeviceIsWrittenInPlaceAndHasNoFileBesideIt) {
  FileSink sink{"/dev/null"};
  sink.take(SegmentIndex{0}, {media_part(TrackKind::kVideo, false, "p0")});
  EXPECT_THROW(sink.take(SegmentIndex{1}, {media_part(TrackKind::kAudio, false, "s1")}), std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(std::filesystem::exists(FileSink::audio_path("/dev/null")));
}

TEST_F(FileSinkTest, AFullDiskIsAnError) {
  FileSink sink{"/dev/full"};
  const std::string much(100'000, 'x');
  EXPECT_THROW(
      {
        sink.take(SegmentIndex{0}, {media_part(TrackKind::kData, false, much)});
        sink.close();
      },
      std::runtime_error);
}

TEST_F(FileSinkTest, APathThatCannotBeIsNamed) {
  try {
    FileSink sink{directory_ + "/no/such/place"};
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("no/such/place: No such file"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tributary
