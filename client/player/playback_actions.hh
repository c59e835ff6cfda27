#pragma once

#include "player/playback_commands.hh"
#include "player/window/actions.hh"

namespace tributary::play {

/// The actions of the window that carry out commands of playback. Commands and player must outlive the actions.
void add_playback_actions(Actions& actions, PlaybackCommands& commands, const Player& player);
void add_track_actions(Actions& actions, PlaybackCommands& commands);

/// Shows in menus and buttons what the player does.
void show_choices(Actions& actions, const Player& player);

}  // namespace tributary::play
