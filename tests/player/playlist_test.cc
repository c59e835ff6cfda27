#include "player/memory/playlist.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tributary::play {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

TEST(Playlist, GoesOnAndBack) {
  Playlist list;
  EXPECT_FALSE(list.has_next());
  EXPECT_FALSE(list.has_previous());
  list.set({"a", "b"});
  EXPECT_TRUE(list.has_next());
  EXPECT_FALSE(list.has_previous());
  EXPECT_EQ(list.go_to(1), "b");
  EXPECT_FALSE(list.has_next());
  EXPECT_TRUE(list.has_previous());
  list.set({"c"});
  EXPECT_EQ(list.current(), 0U);
}

class FilmsOf : public ::testing::Test {
 protected:
  FilmsOf() { fs::create_directories(folder_); }
  ~FilmsOf() override { fs::remove_all(folder_); }
  std::string make(const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    const std::ofstream empty{folder_ / name};
    return folder_ / name;
  }

  const fs::path folder_ = fs::path{::testing::TempDir()} / ("films of " + std::to_string(getpid()));
};

TEST_F(FilmsOf, AFolderAreInTheOrderOfPeople) {
  const std::string tenth = make("Part 10/index.json"), second = make("Part 2/manifest.mpd"), last = make("Rest.m3u8");
  make("Part 3/notes.txt");
  make("readme.txt");
  EXPECT_THAT(films_of(folder_), ElementsAre(second, tenth, last));
  EXPECT_THAT(films_of(folder_.string() + "/"), ElementsAre(second, tenth, last));
  EXPECT_THAT(films_of("file:///nowhere"), ElementsAre("file:///nowhere"));
}

TEST_F(FilmsOf, AnythingElseIsItself) {
  make("index.json");
  make("low/playlist.m3u8");
  EXPECT_THAT(films_of(folder_), ElementsAre(folder_.string())) << "the folder is a film";
  EXPECT_THAT(films_of("https://example.org/film/"), ElementsAre("https://example.org/film/"));
  EXPECT_THAT(films_of(folder_ / "low/playlist.m3u8"), ElementsAre((folder_ / "low/playlist.m3u8").string()));
  EXPECT_THAT(films_of(""), ElementsAre(""));
}

TEST_F(FilmsOf, AFolderWithoutAnyIsItself) {
  make("notes.txt");
  EXPECT_THAT(films_of(folder_), ElementsAre(folder_.string()));
}

}  // namespace
}  // namespace tributary::play
