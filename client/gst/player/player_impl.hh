#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gst/main_context.hh"
#include "gst/pipeline/decoder_preload.hh"
#include "gst/player/played_title.hh"
#include "gst/player/player.hh"
#include "gst/player/player_news.hh"

namespace tributary {

/// The settings, and the title that is open, if one is.
struct Player::Impl {
  Impl(Options player_options, PlayerListener& player_listener, ShowFrame show_frame);
  ~Impl();

  void open(const std::string& url, Duration start);
  void close();
  /// Takes what was set to the title that is open.
  void set(void (PlayedTitle::*changed)());
  /// The same, and tells the listener.
  void set_and_tell(void (PlayedTitle::*changed)());

  const Options options;
  const ShowFrame show;
  MainContext context;
  std::optional<DecoderPreload> preload;
  PlayerSettings settings;
  PlayerNews news;
  std::unique_ptr<PlayedTitle> title;  // last: it uses all of the above
};

}  // namespace tributary
