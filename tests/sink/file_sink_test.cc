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
  FileSink sink{directory_ + "/new/raw"};
  sink.take(SegmentIndex{0},
            {media_part(TrackKind::kAudio, true, "[sound]"), media_part(TrackKind::kVideo, true, "[picture]"),
             media_part(TrackKind::kAudio, false, "s0"), media_part(TrackKind::kVideo, false, "p0")});
  sink.take(SegmentIndex{1}, {media_part(TrackKind::kVideo, false, "p1")});
  sink.close();
  EXPECT_EQ(content(directory_ + "/new/raw/picture"), "[picture]p0p1");
  EXPECT_EQ(content(directory_ + "/new/raw/sound"), "[sound]s0");
}

TEST_F(FileSinkTest, WithoutSoundThereIsOneFile) {
  FileSink sink{directory_};
  sink.take(SegmentIndex{0}, {media_part(TrackKind::kData, false, "x")});
  sink.close();
  EXPECT_FALSE(std::filesystem::exists(directory_ + "/sound"));
}

TEST_F(FileSinkTest, AFullDiskIsAnError) {
  std::filesystem::create_symlink("/dev/full", directory_ + "/picture");
  FileSink sink{directory_};
  const std::string much(100'000, 'x');
  EXPECT_THROW(
      {
        sink.take(SegmentIndex{0}, {media_part(TrackKind::kData, false, much)});
        sink.close();
      },
      std::runtime_error);
}

TEST_F(FileSinkTest, AFolderThatCannotBeIsNamed) {
  try {
    FileSink sink{"/dev/null/place"};
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("/dev/null/place: Not a directory"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tributary
