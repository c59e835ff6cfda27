#include "apps/proxy/opened_player.hh"

#include <gtest/gtest.h>

#include <stdexcept>
#include <system_error>

namespace tributary {
namespace {

using Words = std::vector<std::string>;

TEST(OpenedPlayer, KnownPlayersHaveTheirCommands) {
  EXPECT_EQ(player_command("mpv", "http://a"), (Words{"mpv", "--", "http://a"}));
  EXPECT_EQ(player_command("vlc", "http://a"), (Words{"vlc", "--", "http://a"}));
  EXPECT_EQ(player_command(kBrowser, "http://a").back(), "http://a");
}

TEST(OpenedPlayer, ACommandHasTheAddressWhereItSaysSoOrAtItsEnd) {
  EXPECT_EQ(player_command("ffplay -i {} -autoexit", "http://a"), (Words{"ffplay", "-i", "http://a", "-autoexit"}));
  EXPECT_EQ(player_command("'my player' --loop", "http://a"), (Words{"my player", "--loop", "http://a"}));
}

TEST(OpenedPlayer, WhatIsNoCommandIsTold) {
  EXPECT_THROW(player_command("mpv 'open", "http://a"), std::invalid_argument);
  EXPECT_THROW(start_player({"/no/such/player", "http://a"}), std::system_error);
}

}  // namespace
}  // namespace tributary
