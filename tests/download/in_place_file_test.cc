#include "download/files/in_place_file.hh"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "support/files.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

using namespace literals;
using testing::bytes;
using testing::content;
using ::testing::HasSubstr;

class InPlaceFileTest : public testing::DirectoryTest {
 protected:
  std::string path_ = directory_ + "/place";
};

TEST_F(InPlaceFileTest, AFileIsNotWrittenInPlace) {
  EXPECT_EQ(InPlaceFile::at({path_}), nullptr);
  std::ofstream{path_} << "old";
  EXPECT_EQ(InPlaceFile::at({path_}), nullptr);
  EXPECT_EQ(InPlaceFile::at({directory_}), nullptr);
  EXPECT_EQ(content(path_), "old");
}

TEST_F(InPlaceFileTest, ADeviceStaysADeviceAndTakesAnyOrder) {
  for (const std::string device : {"/dev/null", "/dev/zero"}) {
    const auto file = InPlaceFile::at({device});
    ASSERT_NE(file, nullptr);
    EXPECT_TRUE(file->takes_any_order());
    file->write(1'000'000_B, bytes("later"));
    file->write(0_B, bytes("sooner"));
    file->finish(1'000'005_B);
    file->discard();
    EXPECT_TRUE(fs::is_character_file(device));
  }
}

TEST_F(InPlaceFileTest, AFifoGetsBytesInTheirOrder) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  std::string read;
  std::thread reader{[&] { read = content(path_); }};
  auto file = InPlaceFile::at({path_});
  EXPECT_FALSE(file->takes_any_order());
  file->write(0_B, bytes("abc"));
  file->write(3_B, bytes("def"));
  file->finish(6_B);
  file.reset();
  reader.join();
  EXPECT_EQ(read, "abcdef");
  EXPECT_TRUE(fs::is_fifo(path_));
}

TEST_F(InPlaceFileTest, ThatNobodyReadsAnyMoreIsSaid) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  std::thread reader{[&] { std::ifstream{path_}; }};
  const auto file = InPlaceFile::at({path_});
  reader.join();
  try {
    file->write(0_B, bytes("abc"));
    FAIL();
  } catch (const WriteError& error) {
    EXPECT_THAT(error.what(), HasSubstr("place: Broken pipe"));
  }
}

TEST_F(InPlaceFileTest, WhatIsOpenHereIsWrittenFromWhereItStands) {
  const int fd = open(path_.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(write(fd, "header ", 7), 7);
  {
    const auto file = InPlaceFile::at(follow_links("/dev/fd/" + std::to_string(fd)));
    ASSERT_NE(file, nullptr);
    EXPECT_TRUE(file->takes_any_order());
    file->write(3_B, bytes("def, and more"));
    file->write(0_B, bytes("abc"));
    file->finish(6_B);
  }
  ASSERT_EQ(write(fd, " footer", 7), 7);
  close(fd);
  EXPECT_EQ(content(path_), "header abcdef footer");
}

TEST_F(InPlaceFileTest, WhereIsAppendedBytesComeInTheirOrder) {
  std::ofstream{path_} << "header ";
  const int fd = open(path_.c_str(), O_WRONLY | O_APPEND);
  const auto file = InPlaceFile::at({"/dev/fd", fd});
  close(fd);
  EXPECT_FALSE(file->takes_any_order());
  file->write(0_B, bytes("abc"));
  file->write(3_B, bytes("def"));
  file->finish(6_B);
  EXPECT_EQ(content(path_), "header abcdef");
}

TEST_F(InPlaceFileTest, WhatIsNotOpenOrNotForWritingIsSaid) {
  EXPECT_THROW(InPlaceFile::at(follow_links("/dev/fd/1000000")), WriteError);
  std::ofstream{path_} << "old";
  const int fd = open(path_.c_str(), O_RDONLY);
  const auto file = InPlaceFile::at(follow_links("/proc/self/fd/" + std::to_string(fd)));
  EXPECT_THROW(file->write(0_B, bytes("abc")), WriteError);
  close(fd);
}

class NamedFileTest : public InPlaceFileTest {};

TEST_F(NamedFileTest, ANameStandsForWhatItLeadsTo) {
  fs::create_directory(directory_ + "/far");
  fs::create_symlink("far/second", path_);
  EXPECT_EQ(follow_links(path_).path, directory_ + "/far/second") << "nothing is there";
  fs::create_symlink("../file", directory_ + "/far/second");
  EXPECT_TRUE(fs::weakly_canonical(follow_links(path_).path) == fs::weakly_canonical(directory_ + "/file"));
  std::ofstream{directory_ + "/file"} << "old";
  EXPECT_TRUE(fs::equivalent(follow_links(path_).path, directory_ + "/file"));
  EXPECT_FALSE(fs::is_symlink(follow_links(path_).path));
  EXPECT_EQ(follow_links(directory_ + "/file").path, directory_ + "/file");
  EXPECT_EQ(follow_links("file").path, "file");
}

TEST_F(NamedFileTest, OneOfStandardOutputIsItsDescriptor) {
  EXPECT_EQ(follow_links("/dev/stdout").descriptor, 1);
  EXPECT_EQ(follow_links("/dev/fd/7").descriptor, 7);
  fs::create_symlink("/dev/stderr", path_);
  EXPECT_EQ(follow_links(path_).descriptor, 2);
  EXPECT_EQ(follow_links("/dev/null").descriptor, std::nullopt);
  fs::create_symlink("/dev/null", directory_ + "/null");
  EXPECT_NE(InPlaceFile::at(follow_links(directory_ + "/null")), nullptr);
}

TEST_F(NamedFileTest, ACircleOfLinksIsRefused) {
  fs::create_symlink("other", path_);
  fs::create_symlink("place", directory_ + "/other");
  EXPECT_THROW(follow_links(path_), WriteError);
}

TEST_F(NamedFileTest, WhereEverybodyMayMakeLinksThoseOfOthersAreNotFollowed) {
  fs::create_symlink("file", path_);
  EXPECT_EQ(follow_links(path_).path, directory_ + "/file");
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a link away";
  ASSERT_EQ(lchown(path_.c_str(), 65534, 65534), 0);
  EXPECT_EQ(follow_links(path_).path, directory_ + "/file") << "nobody else may write there";
  ASSERT_EQ(chmod(directory_.c_str(), 01777), 0);
  EXPECT_THROW(follow_links(path_), WriteError);
  ASSERT_EQ(lchown(path_.c_str(), 0, 0), 0);
  EXPECT_EQ(follow_links(path_).path, directory_ + "/file");
}

}  // namespace
}  // namespace tributary
