#include "gst/player.hh"

#include "gst/player_impl.hh"

namespace tributary {

Player::Player(Options options, PlayerListener& listener, ShowFrame show)
    : impl_{std::make_unique<Impl>(std::move(options), listener, std::move(show))} {}
Player::~Player() = default;

void Player::open(const std::string& url, Duration start) { impl_->open(url, start); }
void Player::close() { impl_->close(); }
void Player::play() { impl_->want_to_play(true); }
void Player::pause() { impl_->want_to_play(false); }
void Player::seek(Duration position, SeekTo how) { impl_->seek(position, how); }
void Player::step(int frames) { impl_->step(frames); }
void Player::set_speed(double speed) { impl_->set_speed(speed); }
void Player::set_volume(double volume) { impl_->set_volume(volume); }
void Player::set_muted(bool muted) { impl_->set_muted(muted); }
void Player::set_loop(bool loop) { impl_->loop = loop; }
void Player::choose_quality(std::optional<QualityIndex> quality) { impl_->choose_quality(quality); }
void Player::choose_sound(std::size_t track) { impl_->choose_sound(track); }
void Player::choose_text(std::optional<std::size_t> track) { impl_->choose_text(track); }
void Player::use_link(const std::string& name, LinkUse use) {
  if (impl_->pipeline) impl_->pipeline->source().use_link(name, use);
}

void Player::fit_pictures(int width, int height) { impl_->fit_pictures({width, height}); }

PlayerState Player::state() const { return impl_->state; }
bool Player::wants_to_play() const { return impl_->wants_to_play; }
Duration Player::position() const { return impl_->position(); }
Duration Player::duration() const { return impl_->duration(); }
double Player::speed() const { return impl_->speed; }
double Player::volume() const { return impl_->volume; }
bool Player::muted() const { return impl_->muted; }
bool Player::loop() const { return impl_->loop; }
std::optional<QualityIndex> Player::chosen_quality() const { return impl_->chosen_quality; }
std::optional<QualityIndex> Player::shown_quality() const {
  return impl_->pipeline ? impl_->pipeline->source().quality() : std::nullopt;
}
std::optional<std::size_t> Player::sound() const { return impl_->sound; }
std::optional<std::size_t> Player::text() const { return impl_->text; }
std::uint64_t Player::frames_shown() const {
  return impl_->pipeline && impl_->pipeline->picture() ? impl_->pipeline->picture()->frames_shown() : 0;
}
std::uint64_t Player::frames_dropped() const { return impl_->dropped; }
StreamStatus Player::status() const { return impl_->pipeline ? impl_->pipeline->source().status() : StreamStatus{}; }

}  // namespace tributary
