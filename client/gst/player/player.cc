#include "gst/player/player.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

#include "cues/text_file.hh"
#include "gst/player/player_impl.hh"

namespace tributary {
namespace {

constexpr Duration kMostDelay = std::chrono::minutes{1};

TextFile read_text(const std::string& path) {
  constexpr std::uintmax_t kLargest = 16'000'000;
  std::error_code error;
  if (std::filesystem::file_size(path, error) > kLargest && !error)
    throw std::runtime_error{path + ": larger than any subtitles"};
  std::ifstream in{path, std::ios::binary};
  const std::string content{std::istreambuf_iterator<char>{in}, {}};
  if (!in || content.empty()) throw std::runtime_error{path + ": cannot be read, or is empty"};
  return read_users_text_file(std::as_bytes(std::span{content}));
}

/// Clamps `wanted`; NaN becomes `least`.
double within(double wanted, double least, double most) { return wanted >= least ? std::min(wanted, most) : least; }

}  // namespace

Player::Player(Options options, PlayerListener& listener, ShowFrame show)
    : impl_{std::make_unique<Impl>(std::move(options), listener, std::move(show))} {}
Player::~Player() = default;

void Player::open(const std::string& url, Duration start) { impl_->open(url, start); }
void Player::close() { impl_->close(); }

void Player::play() {
  impl_->settings.wants_to_play = true;
  impl_->set(&PlayedTitle::wish_changed);
}

void Player::pause() {
  impl_->settings.wants_to_play = false;
  impl_->set(&PlayedTitle::wish_changed);
}

void Player::seek(Duration position, SeekTo how) {
  const PlayerNews::Call call{impl_->news};
  if (impl_->title) impl_->title->seek(position, how);
}

void Player::step(int frames) {
  const PlayerNews::Call call{impl_->news};
  if (!impl_->title || !impl_->title->can_step()) return;
  pause();
  impl_->title->step(frames);
}

void Player::set_speed(double speed) {
  impl_->settings.speed = within(speed, 0.5, 2);
  impl_->set_and_tell(&PlayedTitle::speed_changed);
}

void Player::set_volume(double volume) {
  impl_->settings.volume = within(volume, 0, 1);
  impl_->set_and_tell(&PlayedTitle::sound_changed);
}

void Player::set_muted(bool muted) {
  impl_->settings.muted = muted;
  impl_->set_and_tell(&PlayedTitle::sound_changed);
}

void Player::set_loop(bool loop) { impl_->settings.loop = loop; }

void Player::use_hardware(bool use) {
  impl_->settings.decoders = use ? Decoders::kInHardwareFirst : Decoders::kInSoftware;
}

void Player::set_text_delay(Duration delay) {
  impl_->settings.text_delay = std::clamp(delay, -kMostDelay, kMostDelay);
  impl_->set(&PlayedTitle::look);
}

void Player::set_sound_delay(Duration delay) {
  impl_->settings.sound_delay = std::clamp(delay, -kMostDelay, kMostDelay);
  impl_->set(&PlayedTitle::sound_changed);
}

void Player::choose_quality(std::optional<QualityIndex> quality) {
  impl_->settings.quality.always = quality;
  impl_->set_and_tell(&PlayedTitle::quality_changed);
}

void Player::limit_quality(int most_lines) {
  impl_->settings.quality.most_lines = most_lines;
  impl_->set(&PlayedTitle::quality_changed);
}

void Player::choose_sound(std::size_t track) {
  const PlayerNews::Call call{impl_->news};
  if (impl_->title) impl_->title->choose_sound(track);
}

void Player::choose_text(std::optional<std::size_t> track) {
  const PlayerNews::Call call{impl_->news};
  if (impl_->title) impl_->title->choose_text(track);
}

void Player::add_text_file(const std::string& path) {
  const PlayerNews::Call call{impl_->news};
  if (impl_->title) impl_->title->add_text(std::filesystem::path{path}.filename(), read_text(path));
}

void Player::use_link(const std::string& name, LinkUse use) {
  if (impl_->title) impl_->title->use_link(name, use);
}

void Player::fit_pictures(int width, int height) {
  impl_->settings.picture_box = {width, height};
  impl_->set(&PlayedTitle::picture_box_changed);
}

PlayerState Player::state() const { return impl_->title ? impl_->title->state() : PlayerState::kClosed; }
bool Player::wants_to_play() const { return impl_->settings.wants_to_play; }
Duration Player::position() const { return impl_->title ? impl_->title->position() : Duration{}; }
Duration Player::duration() const { return impl_->title ? impl_->title->duration() : Duration{}; }
double Player::speed() const { return impl_->settings.speed; }
double Player::volume() const { return impl_->settings.volume; }
bool Player::muted() const { return impl_->settings.muted; }
bool Player::loop() const { return impl_->settings.loop; }
Duration Player::text_delay() const { return impl_->settings.text_delay; }
Duration Player::sound_delay() const { return impl_->settings.sound_delay; }
std::optional<QualityIndex> Player::chosen_quality() const { return impl_->settings.quality.always; }
std::optional<QualityIndex> Player::shown_quality() const {
  return impl_->title ? impl_->title->shown_quality() : std::nullopt;
}
std::optional<std::size_t> Player::sound() const { return impl_->title ? impl_->title->sound() : std::nullopt; }
std::optional<std::size_t> Player::text() const { return impl_->title ? impl_->title->text().track() : std::nullopt; }
std::uint64_t Player::frames_shown() const { return impl_->title ? impl_->title->frames().shown : 0; }
std::uint64_t Player::frames_dropped() const { return impl_->title ? impl_->title->frames().dropped : 0; }
StreamStatus Player::status() const { return impl_->title ? impl_->title->status() : StreamStatus{}; }

}  // namespace tributary
