#include "system/watched_file.hh"

#include <gtest/gtest.h>

#include <fstream>
#include <system_error>

namespace tributary {
namespace {

namespace fs = std::filesystem;

class WatchedFileTest : public ::testing::Test {
 protected:
  WatchedFileTest() {
    std::string pattern = (fs::temp_directory_path() / "tributary-watched-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~WatchedFileTest() override { fs::remove_all(folder); }

  fs::path folder;
};

TEST_F(WatchedFileTest, TellsOnceWhenTheFileComesChangesIsReplacedAndGoes) {
  const fs::path path = folder / "list";
  WatchedFile file{path};
  EXPECT_FALSE(file.changed());
  std::ofstream{path} << "one";
  EXPECT_TRUE(file.changed());
  EXPECT_FALSE(file.changed());
  std::ofstream{path, std::ios::app} << "two";
  EXPECT_TRUE(file.changed());
  std::ofstream{folder / "new"} << "three";
  EXPECT_FALSE(file.changed()) << "another one";
  fs::rename(folder / "new", path);
  EXPECT_TRUE(file.changed());
  fs::remove(path);
  EXPECT_TRUE(file.changed());
}

TEST_F(WatchedFileTest, NeedsItsFolder) { EXPECT_THROW((WatchedFile{folder / "none" / "list"}), std::system_error); }

}  // namespace
}  // namespace tributary
