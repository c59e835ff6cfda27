#include "system/state_files.hh"

#include <gtest/gtest.h>

#include "support/files.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

using testing::content;

constexpr std::string_view kText = R"({"format":"tributary-made-up","bytes":12345})";

class StateFilesTest : public testing::DirectoryTest {
 protected:
  fs::path path_ = fs::path{directory_} / "state.json", unfinished_ = fs::path{directory_} / "state.json.new";
  fs::path others_ = fs::path{directory_} / "others";
};

TEST_F(StateFilesTest, AreReadableForTheUserAloneWhateverStoodThere) {
  std::ofstream{path_} << "old";
  std::ofstream{unfinished_} << kText.substr(0, 7);  // of a program that was killed
  fs::permissions(unfinished_, fs::perms::all);
  replace_file(path_, kText);
  EXPECT_EQ(content(path_), kText);
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(fs::exists(unfinished_));
}

TEST_F(StateFilesTest, WhatOthersHaveIsNeitherWrittenNorRemoved) {
  std::ofstream{others_} << "of somebody else";
  fs::create_symlink(others_, unfinished_);
  EXPECT_THROW(replace_file(path_, kText), std::runtime_error);
  fs::remove(unfinished_);
  fs::copy_file(others_, unfinished_);
  EXPECT_THROW(replace_file(path_, kText), std::runtime_error);
  EXPECT_EQ(content(unfinished_), "of somebody else");
  EXPECT_EQ(content(others_), "of somebody else");
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(StateFilesTest, ALockThatIsALinkIsNotFollowed) {
  fs::create_symlink(directory_ + "/nothing", lock_path(directory_, "state"));
  EXPECT_THROW((OpenFile{lock_path(directory_, "state"), O_RDWR | O_CREAT}), std::runtime_error);
  EXPECT_FALSE(fs::exists(directory_ + "/nothing"));
}

}  // namespace
}  // namespace tributary
