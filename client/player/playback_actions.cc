#include "player/playback_actions.hh"

#include <string>

namespace tributary::play {

void add_playback_actions(Actions& actions, PlaybackCommands& commands, const Player& player) {
  actions.add("pause", [&commands] { commands.toggle_pause(); });
  actions.add_number("seek", [&commands](double seconds) { commands.seek_by(from_seconds(seconds)); });
  actions.add_number("position", [&commands](double seconds) { commands.seek_to(from_seconds(seconds)); });
  actions.add_number("chapter", [&commands](double direction) { commands.go_to_chapter(static_cast<int>(direction)); });
  actions.add("live", [&commands] { commands.go_live(); });
  actions.add_number("step", [&commands](double pictures) { commands.step(static_cast<int>(pictures)); });
  actions.add_number_choice("speed", 1, [&commands](double speed) { commands.set_speed(speed); });
  actions.add_number("speed-by", [&commands, &player](double factor) { commands.set_speed(player.speed() * factor); });
  actions.add_number("volume-by",
                     [&commands, &player](double percent) { commands.set_volume(player.volume() + percent / 100); });
  actions.add_switch("mute", [&commands](bool muted) { commands.set_muted(muted); });
  actions.add_switch("loop", [&commands](bool loop) { commands.set_loop(loop); });
}

void add_track_actions(Actions& actions, PlaybackCommands& commands) {
  actions.add_choice("quality", "auto", [&commands](const std::string& choice) { commands.choose_quality(choice); });
  actions.add_choice("sound", "none", [&commands](const std::string& choice) { commands.choose_sound(choice); });
  actions.add_choice("text", "none", [&commands](const std::string& choice) { commands.choose_text(choice); });
  actions.add("next-sound", [&commands] { commands.next_sound(); });
  actions.add_number("next-text", [&commands](double direction) { commands.next_text(static_cast<int>(direction)); });
  actions.add("text-shown", [&commands] { commands.toggle_text(); });
  actions.add_number("text-later", [&commands](double seconds) { commands.delay_text_by(from_seconds(seconds)); });
  actions.add_number("sound-later", [&commands](double seconds) { commands.delay_sound_by(from_seconds(seconds)); });
}

void show_choices(Actions& actions, const Player& player) {
  actions.set("mute", player.muted());
  actions.set("loop", player.loop());
  actions.set("speed", player.speed());
  const auto number = [](const auto& index, const char* none) {
    return index ? std::to_string(static_cast<std::size_t>(*index)) : std::string{none};
  };
  actions.set("quality", number(player.chosen_quality(), "auto"));
  actions.set("sound", number(player.sound(), "none"));
  actions.set("text", number(player.text(), "none"));
}

}  // namespace tributary::play
