#include "proxy/players/present_players.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;

Request from(const std::string& program) {
  return {.method = "GET", .target = "/1/film.m3u8", .fields = {{"User-Agent", program}}};
}

Cmcd in_session(const std::string& session) {
  Cmcd cmcd;
  cmcd.session = session;
  return cmcd;
}

constexpr TimePoint kBegin{};

TEST(PresentPlayers, AreToldApartByTheirSessionsOrPrograms) {
  PresentPlayers players;
  const auto vlc = players.asks(from("VLC"), {}, kBegin);
  EXPECT_EQ(players.asks(from("VLC"), {}, kBegin + 1s), vlc);
  EXPECT_NE(players.asks(from("mpv"), {}, kBegin + 1s), vlc);
  const auto tab = players.asks(from("Browser"), in_session("one"), kBegin + 1s);
  EXPECT_NE(players.asks(from("Browser"), in_session("two"), kBegin + 1s), tab);
  EXPECT_EQ(players.count(kBegin + 1s), 4u);
}

TEST(PresentPlayers, AreGoneAfterAMinuteWithoutARequest) {
  PresentPlayers players;
  const auto before = players.asks(from("VLC"), {}, kBegin);
  EXPECT_EQ(players.count(kBegin + 59s), 1u);
  EXPECT_EQ(players.count(kBegin + 60s), 0u);
  EXPECT_NE(players.asks(from("VLC"), {}, kBegin + 60s), before);
}

TEST(PresentPlayers, OneTooManyHasNoLineUntilOthersHaveGone) {
  PresentPlayers players;
  for (int i = 0; i < 100; ++i) ASSERT_NE(players.asks(from(std::to_string(i)), {}, kBegin), nullptr);
  EXPECT_EQ(players.asks(from("one more"), {}, kBegin + 1s), nullptr);
  EXPECT_NE(players.asks(from("99"), {}, kBegin + 1s), nullptr);
  EXPECT_EQ(players.count(kBegin + 1s), 100u);
  EXPECT_NE(players.asks(from("one more"), {}, kBegin + 60s), nullptr);
}

}  // namespace
}  // namespace tributary::proxy
