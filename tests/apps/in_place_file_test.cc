#include "apps/get/in_place_file.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

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
  EXPECT_EQ(InPlaceFile::at(path_), nullptr);
  std::ofstream{path_} << "old";
  EXPECT_EQ(InPlaceFile::at(path_), nullptr);
  EXPECT_EQ(InPlaceFile::at(directory_), nullptr);
  EXPECT_EQ(content(path_), "old");
}

TEST_F(InPlaceFileTest, ADeviceStaysADeviceAndTakesAnyOrder) {
  for (const std::string device : {"/dev/null", "/dev/zero"}) {
    const auto file = InPlaceFile::at(device);
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
  auto file = InPlaceFile::at(path_);
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
  const auto file = InPlaceFile::at(path_);
  reader.join();
  try {
    file->write(0_B, bytes("abc"));
    FAIL();
  } catch (const WriteError& error) {
    EXPECT_THAT(error.what(), HasSubstr("place: Broken pipe"));
  }
}

TEST_F(InPlaceFileTest, ALinkToAFileIsRefusedAndOneToADeviceIsNot) {
  std::ofstream{directory_ + "/file"} << "old";
  for (const std::string target : {"file", "nothing"}) {
    fs::create_symlink(target, path_);
    try {
      InPlaceFile::at(path_);
      ADD_FAILURE() << target;
    } catch (const WriteError& error) {
      EXPECT_THAT(error.what(), HasSubstr("say -o " + directory_ + "/" + target));
    }
    fs::remove(path_);
  }
  EXPECT_EQ(content(directory_ + "/file"), "old");
  fs::create_symlink("/dev/null", path_);
  EXPECT_NE(InPlaceFile::at(path_), nullptr);
}

}  // namespace
}  // namespace tributary
