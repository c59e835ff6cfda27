#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gst/main_context.hh"
#include "gst/player/played_title.hh"
#include "gst/player/player.hh"
#include "gst/player/player_news.hh"

namespace tributary {

/// The settings, and the open title, if there is one.
struct Player::Impl {
  Impl(Options player_options, PlayerListener& player_listener, ShowFrame show_frame);
  ~Impl();

  void open(const std::string& url, Duration start);
  void close();
  /// Tells the open title, if there is one, that a setting has changed.
  void set(void (PlayedTitle::*changed)());
  /// Tells the open title and the listener that a setting has changed.
  void set_and_tell(void (PlayedTitle::*changed)());

  const Options options;
  const ShowFrame show;
  MainContext context;
  PlayerSettings settings;
  PlayerNews news;
  std::unique_ptr<PlayedTitle> title;  // last: it uses all of the above
};

}  // namespace tributary
