#include "gst/player/player_impl.hh"

#include <utility>

namespace tributary {

Player::Impl::Impl(Options player_options, PlayerListener& player_listener, ShowFrame show_frame)
    : options{std::move(player_options)}, show{std::move(show_frame)}, news{player_listener} {
  gst_init(nullptr, nullptr);
}

Player::Impl::~Impl() { close(); }

void Player::Impl::open(const std::string& url, Duration start) {
  const PlayerNews::Call call{news};
  close();
  title = std::make_unique<PlayedTitle>(PlayedTitle::Surroundings{options, show, context, settings, news}, url, start);
}

void Player::Impl::close() {
  const PlayerNews::Call call{news};
  if (!title) return;
  const bool text_shown = !title->text().shown().empty();
  title.reset();
  news.forget();
  news.add([](PlayerListener& listener) { listener.state_changed(PlayerState::kClosed); });
  if (text_shown) news.add([](PlayerListener& listener) { listener.subtitle(""); });
  news.changed();
}

void Player::Impl::set(void (PlayedTitle::*changed)()) {
  const PlayerNews::Call call{news};
  if (title) (title.get()->*changed)();
}

void Player::Impl::set_and_tell(void (PlayedTitle::*changed)()) {
  const PlayerNews::Call call{news};
  set(changed);
  news.changed();
}

}  // namespace tributary
