#include "sink/file_sink.hh"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tributary {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span{text}); }

std::string content(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class FileSinkTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string directory_ = ::testing::TempDir() + "file sink " + std::to_string(getpid());
};

TEST_F(FileSinkTest, PictureAndSoundGoToFilesOfTheirOwn) {
  const std::string path = directory_ + "/film.mp4";
  FileSink sink{path};
  sink.take(SegmentIndex{0}, std::vector<MediaPart>{{TrackKind::kAudio, true, bytes("[sound]")},
                                                    {TrackKind::kVideo, true, bytes("[picture]")},
                                                    {TrackKind::kAudio, false, bytes("s0")},
                                                    {TrackKind::kVideo, false, bytes("p0")}});
  sink.take(SegmentIndex{1}, std::vector<MediaPart>{{TrackKind::kVideo, false, bytes("p1")}});
  sink.close();
  EXPECT_EQ(content(path), "[picture]p0p1");
  EXPECT_EQ(content(directory_ + "/film.audio.mp4"), "[sound]s0");
}

TEST_F(FileSinkTest, WithoutSoundThereIsOneFile) {
  FileSink sink{directory_ + "/data"};
  sink.take(SegmentIndex{0}, std::vector<MediaPart>{{TrackKind::kData, false, bytes("x")}});
  sink.close();
  EXPECT_FALSE(std::filesystem::exists(FileSink::audio_path(directory_ + "/data")));
}

TEST_F(FileSinkTest, AFullDiskIsAnError) {
  FileSink sink{"/dev/full"};
  const std::string much(100'000, 'x');
  EXPECT_THROW(
      {
        sink.take(SegmentIndex{0}, std::vector<MediaPart>{{TrackKind::kData, false, bytes(much)}});
        sink.close();
      },
      std::runtime_error);
}

TEST_F(FileSinkTest, APathThatCannotBeIsNamed) {
  try {
    FileSink sink{directory_ + "/no/such/place"};
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("no/such/place: No such file"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tributary
