#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/source/media_feed.hh"
#include "playback/stream.hh"
#include "player/links_panel/link_answers.hh"
#include "player/memory/preferences.hh"
#include "program/options/named_links.hh"

namespace tributary::play {

inline constexpr const char* kNoSubtitles = "off";

/// The command line of tributary-play.
struct PlayOptions {
  std::vector<std::string> urls;  // to be played one after the other; none: the window asks
  Stream::Options stream;
  NamedLinks expected;
  std::shared_ptr<LinkAnswers> answers;     // never null in a window
  std::optional<std::string> quality;       // name of the fixed quality; nothing: adapted to the networks
  std::optional<int> most_lines;            // where qualities are adapted; nothing: as the user prefers
  std::optional<std::string> subtitles;     // their language or name, or kNoSubtitles; nothing: as the user prefers
  std::vector<std::string> subtitle_files;  // of this computer, for the first title
  std::optional<Duration> start;
  bool hardware = false;  // decodes pictures where it can
  bool fullscreen = false;
  int volume_percent = 100;
  bool muted = false;
  bool loop = false;
  bool links_panel = false;
  bool remember = true;  // addresses and positions
  bool forget = false;   // forget all measurements of networks, and do nothing else
  std::string audio_sink = "autoaudiosink";
  OpenFeed open{};                // of the feeds; null: as the player does by itself
  std::string screenshot_folder;  // empty: the user's pictures folder
};

/// With what the user prefers where the command line says nothing.
PlayOptions with_preferences(PlayOptions options, const Preferences& preferences);

/// Throws CommandLineEnd (command_line/parse.hh).
PlayOptions parse_command_line(int argc, char** argv);

/// The lines of a quality as people write them: "720p", "720". Throws std::invalid_argument.
int parse_lines(const std::string& text);

/// A position as people write it: "90", "12:34", "1:02:03.5". Throws std::invalid_argument.
Duration parse_position(const std::string& text);

}  // namespace tributary::play
