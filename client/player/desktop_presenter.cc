#include "player/desktop_presenter.hh"

#include <utility>

#include "units/text/redacted_url.hh"

namespace tributary::play {

DesktopPresenter::DesktopPresenter(const Shown& shown, Mpris::Calls calls)
    : shown_{shown},
      awake_{gtk_window_get_application(shown.window.window()), shown.window.window()},
      mpris_{std::move(calls)} {}

void DesktopPresenter::state_changed(PlayerState state) {
  awake_.inhibit(state == PlayerState::kPlaying || state == PlayerState::kBuffering);
}

void DesktopPresenter::refresh() {
  const auto& [player, window, title, playlist] = shown_;
  const PlayerState state = player.state();
  const bool open = state != PlayerState::kClosed && state != PlayerState::kFailed;
  const Duration length = open ? player.duration() : Duration{};
  using Status = MprisState::Status;
  mpris_.show({.status = !open || state == PlayerState::kEnded ? Status::kStopped
                         : player.wants_to_play()              ? Status::kPlaying
                                                               : Status::kPaused,
               .can_seek = length > Duration{},
               .fullscreen = window.is_fullscreen(),
               .loop = player.loop(),
               .can_go_next = playlist.has_next(),
               .can_go_previous = playlist.has_previous(),
               .speed = player.speed(),
               .volume = player.muted() ? 0 : player.volume(),
               .url = redacted(title.url),
               .title = title.name(),
               .length = title.info.live || length <= Duration{} ? std::nullopt : std::optional{length}});
}

}  // namespace tributary::play
