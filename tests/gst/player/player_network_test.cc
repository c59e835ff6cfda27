#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "child_process.hh"
#include "gst/player/player.hh"
#include "loopback_socket.hh"
#include "nginx_server.hh"
#include "player/player_fixture.hh"
#include "served_film.hh"
#include "support/at_once.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::content_of;
using testing::PlayerTest;
using testing::ServedFilm;

TEST_F(PlayerTest, StreamsFromAWebServer) {
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS};
  Player& player = make(Player::Options{});
  player.open(film.url());
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kPlaying));
  player.pause();
  player.seek(4s);
  ASSERT_TRUE(wait_until([&] { return last_mark()->frame == 100u; }));
  run_for(100ms);
  EXPECT_EQ(last_mark()->frame, 100u);
  player.play();
  ASSERT_TRUE(wait_for_state(PlayerState::kEnded));
  EXPECT_EQ(last_mark()->frame, 149u);
  EXPECT_EQ(notes_.problems.size(), 0u);
  ASSERT_EQ(player.status().links.size(), 1u);
  EXPECT_GT(player.status().links[0].received.bytes(), 100'000);
}

TEST_F(PlayerTest, ShowsSubtitlesInTheirTime) {
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS};
  Player& player = make(Player::Options{});
  player.open(film.url());
  ASSERT_TRUE(wait_until([&] { return notes_.info.has_value(); }));
  ASSERT_EQ(notes_.info->texts.size(), 1u);
  player.choose_text(notes_.info->texts[0]);
  EXPECT_EQ(player.text(), notes_.info->texts[0]);
  ASSERT_TRUE(wait_for_state(PlayerState::kPaused));
  player.seek(3500ms);
  ASSERT_TRUE(wait_until([&] { return !notes_.subtitles.empty(); }));
  EXPECT_EQ(notes_.subtitles.back(), "<i>second 3</i> &amp; more");
  player.seek(3900ms);
  ASSERT_TRUE(wait_until([&] { return notes_.subtitles.back().empty(); }));
  player.seek(5500ms);
  ASSERT_TRUE(wait_until([&] { return notes_.subtitles.back() == "<i>second 5</i> &amp; more"; }));
  player.choose_text(std::nullopt);
  EXPECT_EQ(notes_.subtitles.back(), "");
}

TEST_F(PlayerTest, SaysWhyAnAddressCannotBePlayed) {
  const NginxServer nginx{{}};
  nginx.put("index.json", "{}");
  Player& player = make(Player::Options{});
  player.open(fmt::format("http://127.0.0.1:{}/nothing", nginx.port()));
  ASSERT_TRUE(wait_until([&] { return notes_.problems.size() == 1; }));
  EXPECT_EQ(player.state(), PlayerState::kFailed);
  EXPECT_TRUE(notes_.problems[0].fatal);
  EXPECT_THAT(notes_.problems[0].detail, ::testing::HasSubstr("404"));
  player.open(fmt::format("http://127.0.0.1:{}/index.json", nginx.port()));
  ASSERT_TRUE(wait_until([&] { return notes_.problems.size() == 2; }));
  EXPECT_THAT(notes_.problems[1].advice.english(), ::testing::HasSubstr("tributary-segment check"));
}

TEST_F(PlayerTest, GivesUpADeadAddressAtOnceWhenItIsClosed) {
  // It listens, and never answers.
  const FileDescriptor silent = listen_on_loopback();
  Player& player = make(Player::Options{});
  player.open(fmt::format("http://127.0.0.1:{}/index.json", port_of(silent)));
  player.play();
  run_for(300ms);
  EXPECT_EQ(player.state(), PlayerState::kOpening);
  player.seek(5s);
  player.step(1);
  const auto began = std::chrono::steady_clock::now();
  player.close();
  EXPECT_LT(std::chrono::steady_clock::now() - began, testing::kAtOnce);
  player.open(fmt::format("http://127.0.0.1:{}/index.json", port_of(silent)));
  const auto closed = std::chrono::steady_clock::now();
  player_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - closed, testing::kAtOnce);
}

/// The plugin, in a program that knows nothing of us, and with a home of its own.
class GstPlay : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(kState); }
  void TearDown() override { std::filesystem::remove_all(kState); }

  static segmenter::Outcome play(const std::string& url, const std::string& playbin, const std::string& ranks = "") {
    return segmenter::run({"/usr/bin/env", "XDG_STATE_HOME=" + kState,
                           std::string("GST_PLUGIN_PATH=") + PLUGIN_DIRECTORY, std::string("GST_REGISTRY=") + REGISTRY,
                           "GST_PLUGIN_FEATURE_RANK=" + ranks, std::string("LD_PRELOAD=") + SANITIZER,
                           "ASAN_OPTIONS=detect_leaks=0", "timeout", "60", GST_PLAY, "--videosink=fakesink",
                           "--audiosink=fakesink", "--no-interactive", playbin, url});
  }
  static void expect_end(const segmenter::Outcome& outcome) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, ::testing::HasSubstr("Reached end of play list.")) << outcome.error;
    EXPECT_THAT(outcome.out, ::testing::Not(::testing::HasSubstr("ERROR")));
  }

  inline static const std::string kState =
      (std::filesystem::temp_directory_path() / fmt::format("gst-play-test-{}", getpid())).string();
};

TEST_F(GstPlay, PlaysToTheEnd) {
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS};
  for (const std::string playbin : {"--volume=1", "--use-playbin3"})
    expect_end(play("multilink+" + film.url(), playbin));
}

TEST_F(GstPlay, KnowsAnIndexByItsAddressAlone) {
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS};
  for (const std::string playbin : {"--volume=1", "--use-playbin3"}) expect_end(play(film.url(), playbin));
}

TEST_F(GstPlay, PlaysManifestsOverAllLinksIfItsRankIsHighest) {
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS};
  for (const std::string name : {"manifest.mpd", "master.m3u8"}) {
    for (const std::string playbin : {"--volume=1", "--use-playbin3"}) {
      // No other element for them has a rank, so that they would not be played without ours.
      expect_end(play(film.url(name), playbin,
                      "multilinkdemux:MAX,hlsdemux:NONE,hlsdemux2:NONE,dashdemux:NONE,dashdemux2:NONE"));
    }
  }
}

TEST_F(GstPlay, RemembersWhatALinkCouldDo) {
  // What takes less than a second is too little to know.
  const ServedFilm film{TRIBUTARY_MARKED_EXTRAS, "limit_rate 30k;"};
  const segmenter::Outcome outcome = play("multilink+" + film.url(), "--use-playbin3");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(content_of(kState + "/tributary/link-memory.json"), ::testing::HasSubstr(R"("network": "lo")"));
}

}  // namespace
}  // namespace tributary
