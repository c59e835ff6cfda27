#include "player/playback_commands.hh"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

constexpr double kSlowest = 0.5, kFastest = 2;

std::optional<std::size_t> number_of(const std::string& choice) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(choice.data(), choice.data() + choice.size(), number);
  if (error != std::errc{} || end != choice.data() + choice.size()) return std::nullopt;
  return number;
}

std::string name_of(const std::vector<TrackNames::Choice>& choices, std::size_t track) {
  const auto found = std::ranges::find(choices, track, &TrackNames::Choice::track);
  return found == choices.end() ? std::string{} : found->name;
}

struct DelayWords {
  const char *on_time, *later, *earlier;
};

std::string delay_text(Duration delay, const DelayWords& words) {
  if (delay == Duration{}) return words.on_time;
  const std::string seconds = number_text(std::abs(to_seconds(delay)), 1);
  return say(delay > Duration{} ? words.later : words.earlier, seconds);
}

}  // namespace

void PlaybackCommands::opened(const StreamInfo& info, const TrackNames& names) {
  names_ = names;
  chapters_ = info.presentation.chapters;
  live_ = info.live;
  wanted_.reset();
  hidden_.reset();
}

void PlaybackCommands::toggle_pause() {
  if (player_.state() == PlayerState::kEnded) {
    seek_to({});
    player_.play();
  } else if (player_.wants_to_play()) {
    player_.pause();
    tell_(_("Paused"));
  } else {
    player_.play();
    tell_(_("Playing"));
  }
}

void PlaybackCommands::seek_by(Duration by) {
  seek_to(position() + by);
  tell_(fmt::format("{} / {}", clock_text(position()), clock_text(player_.duration())));
}

void PlaybackCommands::seek_to(Duration position) {
  if (player_.duration() <= Duration{}) return;  // no title is open yet
  const Duration begin = live_ ? player_.status().window_start : Duration{};
  wanted_ = std::clamp(position, begin, std::max(begin, player_.duration()));
  player_.seek(*wanted_);
}

void PlaybackCommands::go_live() {
  if (!live_) return;
  seek_to(player_.duration());
  player_.play();
}

void PlaybackCommands::go_to_chapter(int direction) {
  if (chapters_.empty()) return tell_(_("There are no chapters"));
  constexpr Duration kSoonAfter = std::chrono::seconds{3};  // within it, "back" means the one before
  const Duration from = direction > 0 ? position() : position() - kSoonAfter;
  const auto behind = std::ranges::upper_bound(chapters_, from, {}, &Chapter::start);
  if (direction > 0 && behind == chapters_.end()) return;
  const auto to = direction > 0 || behind == chapters_.begin() ? behind : behind - 1;
  seek_to(to->start);
  tell_(chapter_text(*to, static_cast<std::size_t>(to - chapters_.begin())));
}

void PlaybackCommands::step(int pictures) { player_.step(pictures); }

void PlaybackCommands::set_speed(double speed) {
  const double near_usual = std::abs(speed - 1) < 0.01 ? 1 : speed;
  player_.set_speed(std::clamp(near_usual, kSlowest, kFastest));
  tell_(say(_("Speed {}"), speed_text(player_.speed())));
}

void PlaybackCommands::set_volume(double volume) {
  player_.set_volume(std::clamp(volume, 0.0, 1.0));
  if (volume > 0) player_.set_muted(false);
  tell_(say(_("Volume {}"), percent_text(player_.volume())));
}

void PlaybackCommands::set_muted(bool muted) {
  player_.set_muted(muted);
  tell_(muted ? std::string{_("Muted")} : say(_("Volume {}"), percent_text(player_.volume())));
}

void PlaybackCommands::set_loop(bool loop) {
  player_.set_loop(loop);
  tell_(loop ? _("Loop: on") : _("Loop: off"));
}

void PlaybackCommands::choose_quality(const std::string& choice) {
  const auto number = number_of(choice);
  if (number && *number >= names_.qualities.size()) return;
  player_.choose_quality(number ? std::optional{static_cast<QualityIndex>(*number)} : std::nullopt);
  tell_(number ? say(_("Quality: {}, from the next segments on"), names_.qualities[*number])
               : std::string{_("Quality: as the links allow")});
}

void PlaybackCommands::choose_sound(const std::string& choice) {
  const auto track = number_of(choice);
  if (!track) return;
  player_.choose_sound(*track);
  tell_(say(_("Audio: {}"), name_of(names_.sounds, *track)));
}

void PlaybackCommands::choose_text(const std::string& choice) { show_text(number_of(choice)); }

void PlaybackCommands::next_sound() {
  if (names_.sounds.empty()) return tell_(_("There is no audio track to choose"));
  const auto now =
      std::ranges::find(names_.sounds, player_.sound(), [](const auto& choice) { return std::optional{choice.track}; });
  const bool last = now == names_.sounds.end() || now + 1 == names_.sounds.end();
  choose_sound(std::to_string((last ? names_.sounds.begin() : now + 1)->track));
}

void PlaybackCommands::next_text(int direction) {
  if (names_.texts.empty()) return tell_(_("There are no subtitles"));
  // The choices form a ring, with "none" between the last and the first.
  const auto count = static_cast<int>(names_.texts.size()) + 1;
  const auto now =
      std::ranges::find(names_.texts, player_.text(), [](const auto& choice) { return std::optional{choice.track}; });
  const auto place = static_cast<int>(now - names_.texts.begin());
  const int next = ((place + direction) % count + count) % count;
  show_text(next + 1 == count ? std::nullopt : std::optional{names_.texts[static_cast<std::size_t>(next)].track});
}

void PlaybackCommands::toggle_text() {
  if (names_.texts.empty()) return tell_(_("There are no subtitles"));
  if (const auto shown = player_.text()) {
    show_text(std::nullopt);
    hidden_ = shown;
  } else {
    show_text(hidden_.value_or(names_.texts.front().track));
  }
}

void PlaybackCommands::delay_text_by(Duration by) {
  player_.set_text_delay(player_.text_delay() + by);
  tell_(delay_text(player_.text_delay(),
                   {_("Subtitles: on time"), _("Subtitles: {} s later"), _("Subtitles: {} s earlier")}));
}

void PlaybackCommands::delay_sound_by(Duration by) {
  player_.set_sound_delay(player_.sound_delay() + by);
  tell_(delay_text(player_.sound_delay(), {_("Audio: on time"), _("Audio: {} s later"), _("Audio: {} s earlier")}));
}

void PlaybackCommands::show_text(std::optional<std::size_t> track) {
  player_.choose_text(track);
  tell_(track ? say(_("Subtitles: {}"), name_of(names_.texts, *track)) : std::string{_("Subtitles: off")});
}

}  // namespace tributary::play
