// A Player without network and decoders: it plays made-up titles, and prints what it is asked for.
#include <fmt/format.h>
#include <gst/video/video.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "apps/play/first_title.hh"
#include "gst/pipeline/decoder_preload.hh"
#include "gst/player/player.hh"
#include "made_up_title.hh"
#include "player/glib/g_handles.hh"
#include "presentation/track_choice.hh"

namespace tributary {
namespace {

constexpr guint kFrameMilliseconds = 80;
constexpr int kWidth = 640, kHeight = 360;

template <typename... Values>
void note(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("{}\n", fmt::format(format, std::forward<Values>(values)...));
  std::fflush(stdout);
}

std::string text_of(std::optional<std::size_t> number) { return number ? std::to_string(*number) : "none"; }

/// An evening sky over hills, four bytes a pixel.
std::vector<guint8> landscape() {
  std::vector<guint8> pixels;
  for (int y = 0; y < kHeight; ++y) {
    const double low = 0.5 + 0.5 * static_cast<double>(y) / kHeight;
    for (int x = 0; x < kWidth; ++x) {
      const bool ground = y > 270 + 18 * std::sin(x / 70.0) + 8 * std::sin(x / 23.0);
      pixels.push_back(static_cast<guint8>(ground ? 40 : 150 - 90 * low));
      pixels.push_back(static_cast<guint8>(ground ? 60 : 90 + 40 * low));
      pixels.push_back(static_cast<guint8>(ground ? 36 : 60 + 180 * low));
      pixels.push_back(255);
    }
  }
  return pixels;
}

/// The sun crosses it once in a minute.
GstSample* frame_at(Duration position, const std::vector<guint8>& background) {
  std::vector<guint8> pixels = background;
  const double turn = std::fmod(to_seconds(position), 60) / 60;
  constexpr int kRadius = 34;
  const int middle_x = static_cast<int>(turn * kWidth),
            middle_y = static_cast<int>(250 - 150 * std::sin(turn * 3.14159));
  for (int y = std::max(0, middle_y - kRadius); y < std::min(kHeight, middle_y + kRadius); ++y) {
    const int half = static_cast<int>(std::sqrt(kRadius * kRadius - (y - middle_y) * (y - middle_y)));
    for (int x = std::max(0, middle_x - half); x < std::min(kWidth, middle_x + half); ++x) {
      const auto at = static_cast<std::size_t>(y * kWidth + x) * 4;
      pixels[at] = 120;
      pixels[at + 1] = 225;
      pixels[at + 2] = 255;
    }
  }
  GstBuffer* buffer = gst_buffer_new_memdup(pixels.data(), pixels.size());
  GstCaps* caps = gst_caps_new_simple("video/x-raw", "format", G_TYPE_STRING, "BGRA", "width", G_TYPE_INT, kWidth,
                                      "height", G_TYPE_INT, kHeight, "framerate", GST_TYPE_FRACTION, 25, 1, nullptr);
  GstSample* sample = gst_sample_new(buffer, caps, nullptr, nullptr);
  gst_caps_unref(caps);
  gst_buffer_unref(buffer);
  return sample;
}

}  // namespace

struct Player::Impl {
  Impl(PlayerListener& to, ShowFrame frames, std::string sound_wish)
      : listener{to}, show{std::move(frames)}, wanted_sound{std::move(sound_wish)} {}

  void enter(PlayerState next) {
    if (state == next) return;
    state = next;
    listener.state_changed(next);
  }
  PlayerState playing_or_not() const {
    if (!wants_to_play) return PlayerState::kPaused;
    return title && title->stalls() ? PlayerState::kBuffering : PlayerState::kPlaying;
  }
  Duration now() const { return std::chrono::microseconds{g_get_monotonic_time() - opened_at}; }
  void show_picture() {
    GstSample* sample = frame_at(position, background);
    show(sample);
    gst_sample_unref(sample);
  }
  void finish_opening() {
    if (title->problem() && title->problem()->fatal) {
      enter(PlayerState::kFailed);
      return listener.problem(*title->problem());
    }
    if (!title->opens()) return;
    sound = find_track(title->info().presentation, TrackKind::kAudio, wanted_sound).value_or(4);
    if (!wanted_sound.empty()) note("begins with sound {}", *sound);
    if (title->live()) position = title->duration({}) - std::chrono::seconds{9};
    clock.every(kFrameMilliseconds, [this] { frame(); });
    listener.opened(title->info());
    if (title->problem()) listener.problem(*title->problem());
    show_picture();
    enter(playing_or_not());
    note("opened");
  }
  void frame() {
    if (state != PlayerState::kPlaying) return;
    position += std::chrono::duration_cast<Duration>(std::chrono::milliseconds{kFrameMilliseconds} * speed);
    const Duration end = title->duration(now());
    if (position >= end) {
      position = loop ? Duration{} : end;
      if (!loop) return enter(PlayerState::kEnded);
    }
    show_picture();
    const int second = static_cast<int>(to_seconds(position));
    const std::string said =
        text && second % 4 < 3 ? fmt::format("<i>Subtitle {}</i>\nof track {}", second / 4, *text) : "";
    if (said != shown_text) listener.subtitle(shown_text = said);
  }

  PlayerListener& listener;
  ShowFrame show;
  const std::string wanted_sound;
  const std::vector<guint8> background = landscape();
  std::optional<testing::MadeUpTitle> title;
  PlayerState state = PlayerState::kClosed;
  bool wants_to_play = false, muted = false, loop = false;
  Duration position{};
  double speed = 1, volume = 1;
  Duration text_delay{}, sound_delay{};
  std::optional<QualityIndex> quality;
  int most_lines = 0;
  bool hardware = false;
  std::optional<std::size_t> sound, text;
  std::map<std::string, LinkUse> uses;
  std::string shown_text;
  gint64 opened_at = 0;
  play::Timer opening, clock, seeking;
};

std::unique_ptr<MediaFeed> open_stream(const std::string&, const Stream::Options&, StreamListener&) { return nullptr; }

Player::Player(Options options, PlayerListener& listener, ShowFrame show)
    : impl_{std::make_unique<Impl>(listener, std::move(show), std::move(options.stream.sound))} {}
Player::~Player() {
  impl_->enter(PlayerState::kClosed);  // as the real one does
  note("ended");
}

void Player::open(const std::string& url, Duration start) {
  note("open {} {:.3f}", url, to_seconds(start));
  impl_->clock.stop();
  impl_->enter(PlayerState::kClosed);  // as the real one does
  impl_->title.emplace(url);
  impl_->position = start;
  impl_->opened_at = g_get_monotonic_time();
  impl_->text.reset();
  impl_->enter(PlayerState::kOpening);
  impl_->opening.once(200, [this] { impl_->finish_opening(); });
}
void Player::close() {
  note("close");
  impl_->opening.stop();
  impl_->clock.stop();
  impl_->seeking.stop();
  impl_->title.reset();
  impl_->position = {};
  impl_->sound.reset();
  impl_->text.reset();
  impl_->enter(PlayerState::kClosed);
}
void Player::play() {
  note("play");
  impl_->wants_to_play = true;
  if (impl_->clock.running()) impl_->enter(impl_->playing_or_not());
}
void Player::pause() {
  note("pause");
  impl_->wants_to_play = false;
  if (impl_->clock.running()) impl_->enter(PlayerState::kPaused);
}
void Player::seek(Duration position, SeekTo) {
  note("seek {:.3f}", to_seconds(position));
  impl_->seeking.once(60, [this, position] {
    impl_->position = position;
    if (impl_->state == PlayerState::kEnded) impl_->enter(impl_->playing_or_not());
    impl_->show_picture();
    impl_->listener.seeked(position);
  });
}
void Player::step(int frames) {
  note("step {}", frames);
  pause();
  impl_->position += frames * std::chrono::milliseconds{kFrameMilliseconds};
  impl_->show_picture();
}
void Player::set_speed(double speed) {
  note("speed {:.3f}", speed);
  impl_->speed = speed;
  impl_->listener.changed();
}
void Player::set_volume(double volume) {
  note("volume {:.2f}", volume);
  impl_->volume = volume;
  impl_->listener.changed();
}
void Player::set_muted(bool muted) {
  if (impl_->muted != muted) note("muted {}", muted);
  impl_->muted = muted;
  impl_->listener.changed();
}
void Player::set_loop(bool loop) {
  note("loop {}", loop);
  impl_->loop = loop;
  impl_->listener.changed();
}
void Player::use_hardware(bool use) {
  if (impl_->hardware != use) note("hardware {}", use);
  impl_->hardware = use;
}
void Player::set_text_delay(Duration delay) {
  if (impl_->text_delay != delay) note("text delay {:.1f}", to_seconds(delay));
  impl_->text_delay = delay;
}
void Player::set_sound_delay(Duration delay) {
  note("sound delay {:.1f}", to_seconds(delay));
  impl_->sound_delay = delay;
}
void Player::choose_quality(std::optional<QualityIndex> quality) {
  note("quality {}", quality ? std::to_string(to_index(*quality)) : "auto");
  impl_->quality = quality;
  impl_->listener.changed();
}
void Player::limit_quality(int most_lines) {
  if (most_lines != impl_->most_lines) note("at most {} lines", most_lines);
  impl_->most_lines = most_lines;
}
void Player::choose_sound(std::size_t track) {
  note("sound {}", track);
  impl_->sound = track;
  impl_->listener.changed();
}
void Player::choose_text(std::optional<std::size_t> track) {
  note("text {}", text_of(track));
  impl_->text = track;
  if (!track) impl_->listener.subtitle(impl_->shown_text = "");
  impl_->listener.changed();
}
void Player::add_text_file(const std::string& path) {
  if (!impl_->title) return;
  note("text file {}", path);
  if (path.find("broken") != std::string::npos) throw std::runtime_error{"it is broken"};
  StreamInfo info = impl_->title->info();
  info.texts.push_back(info.presentation.tracks.size());
  info.presentation.tracks.emplace_back();
  info.presentation.tracks.back().kind = TrackKind::kText;
  info.presentation.tracks.back().id = info.presentation.tracks.back().label.name = "added";
  impl_->listener.text_added(info);
  choose_text(info.texts.back());
}
void Player::use_link(const std::string& name, LinkUse use) {
  note("use {} {}", name, static_cast<int>(use));
  impl_->uses[name] = use;
}
void Player::fit_pictures(int, int) {}

PlayerState Player::state() const { return impl_->state; }
bool Player::wants_to_play() const { return impl_->wants_to_play; }
Duration Player::position() const { return impl_->position; }
Duration Player::duration() const { return impl_->clock.running() ? impl_->title->duration(impl_->now()) : Duration{}; }
double Player::speed() const { return impl_->speed; }
double Player::volume() const { return impl_->volume; }
bool Player::muted() const { return impl_->muted; }
Duration Player::text_delay() const { return impl_->text_delay; }
Duration Player::sound_delay() const { return impl_->sound_delay; }
bool Player::loop() const { return impl_->loop; }
std::optional<QualityIndex> Player::chosen_quality() const { return impl_->quality; }
std::optional<QualityIndex> Player::shown_quality() const { return status().quality; }
std::optional<std::size_t> Player::sound() const { return impl_->sound; }
std::optional<std::size_t> Player::text() const { return impl_->text; }
std::uint64_t Player::frames_shown() const { return 0; }
std::uint64_t Player::frames_dropped() const { return 0; }

StreamStatus Player::status() const {
  if (!impl_->title) return {};
  StreamStatus status = impl_->title->status(impl_->now(), impl_->position);
  for (LinkStatus& link : status.links) {
    const auto use = impl_->uses.find(link.name);
    if (use == impl_->uses.end() || use->second == LinkUse::kUse) continue;
    link.use = use->second;
    link.activity = use->second == LinkUse::kDoNotUse ? LinkActivity::kOff : LinkActivity::kStandby;
    link.rate_now = {};
  }
  return status;
}

/// Nothing is loaded, and nothing comes over links.
DecoderPreload::DecoderPreload() : thread_{[] {}} {}

namespace play {

OpenFeed begin_first_title(const PlayOptions& /*options*/) { return {}; }

}  // namespace play

}  // namespace tributary
