#include "player/memory/played_films.hh"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace tributary::play {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFilm = "http://films/film/index.json";

class PlayedFilmsTest : public ::testing::Test {
 protected:
  ~PlayedFilmsTest() override { std::filesystem::remove(path_); }
  PlayedFilms films(bool remembers) const {
    return {HistoryFile{path_, [](const std::string& text) { ADD_FAILURE() << text; }}, remembers};
  }

  const std::string path_ = ::testing::TempDir() + "played films of " + std::to_string(getpid()) + ".json";
};

TEST_F(PlayedFilmsTest, KnowsWhereAFilmWasLeft) {
  films(true).opened(kFilm, UtcTime{1s}, "A film");
  films(true).left_at(kFilm, 90s);
  EXPECT_EQ(films(true).position(kFilm), 90s);
  films(true).left_at(kFilm, std::nullopt);
  EXPECT_EQ(films(true).position(kFilm), std::nullopt);
}

TEST_F(PlayedFilmsTest, WithoutAMemoryItNeitherKnowsNorRemembers) {
  films(true).opened(kFilm, UtcTime{1s}, "A film");
  films(true).left_at(kFilm, 90s);
  PlayedFilms without = films(false);
  EXPECT_TRUE(without.latest().empty());
  EXPECT_EQ(without.position(kFilm), std::nullopt);
  without.opened("http://films/other", UtcTime{2s}, "Another");
  without.left_at(kFilm, 10s);
  EXPECT_EQ(films(true).latest().size(), 1U);
  EXPECT_EQ(films(true).position(kFilm), 90s);
  EXPECT_TRUE(without.known_of({kFilm}).at(0).title.empty());
}

TEST_F(PlayedFilmsTest, ForgetsAllAlsoWithoutAMemory) {
  films(true).opened(kFilm, UtcTime{1s}, "A film");
  films(false).forget_all();
  EXPECT_TRUE(films(true).latest().empty());
}

TEST_F(PlayedFilmsTest, TellsWhatItKnowsOfAddressesInTheirOrder) {
  films(true).opened(kFilm, UtcTime{1s}, "A film");
  const std::vector<PlayedAddress> known = films(true).known_of({"http://films/new", kFilm});
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(known[0].url, "http://films/new");
  EXPECT_TRUE(known[0].title.empty());
  EXPECT_EQ(known[1].title, "A film");
}

}  // namespace
}  // namespace tributary::play
