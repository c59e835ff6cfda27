#include "player/play_controller.hh"

#include <algorithm>
#include <chrono>
#include <utility>

#include "player/memory/address.hh"
#include "player/playback_actions.hh"
#include "player/texts/problem_texts.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "player/window/preferences_window.hh"
#include "system/utc_now.hh"
#include "units/text/printed_text.hh"

namespace tributary::play {
namespace {

constexpr guint kTickMilliseconds = 250, kSaveMilliseconds = 60'000;

void warn(const std::string& text) { print_text(stderr, "tributary-play: {}\n", text); }

ProblemText unplayable(const std::string& why) {
  return {.what = _("This Cannot Be Played"), .advice = why, .detail = ""};
}

std::string place_in(const Playlist& list) {
  const std::size_t count = list.addresses().size();
  return count > 1 ? say(_("{} of {}"), list.current() + 1, count) : std::string{};
}

}  // namespace

PlayController::PlayController(AdwApplication* application, PlayOptions options, std::function<void()> ended)
    : wishes_{std::move(options), PreferencesFile{PreferencesFile::usual_path(), warn}},
      ended_{std::move(ended)},
      films_{HistoryFile{HistoryFile::usual_path(), warn}, wishes_.options().remember},
      window_{GTK_APPLICATION(application), window_calls()},
      actions_{G_ACTION_MAP(window_.window())} {
  const PlayOptions& asked = wishes_.options();
  Player::Options playing{.stream = asked.stream, .audio_sink = asked.audio_sink};
  if (asked.open) playing.open = asked.open;
  player_ = std::make_unique<Player>(std::move(playing), *this, window_.video().slot());
  commands_.emplace(*player_, [this](const std::string& text) { window_.video().tell(text); });
  presenter_.emplace(*player_, window_, title_, asked.stream.session.buffer_segments);
  window_.video().when_resized([this](int width, int height) { player_->fit_pictures(width, height); });
  add_playback_actions(actions_, *commands_, *player_);
  add_track_actions(actions_, *commands_);
  add_title_actions();
  add_window_actions();
  show_colours(wishes_.preferences().colours);
  desktop_.emplace(DesktopPresenter::Shown{*player_, window_, title_, playlist_}, mpris_calls());
  player_->set_volume(asked.volume_percent / 100.0);
  player_->set_muted(asked.muted);
  player_->set_loop(asked.loop);
  wishes_.apply(*player_);
  window_.start().show(films_.latest());
  if (asked.fullscreen) window_.set_fullscreen(true);
  if (asked.links_panel) window_.show_links(true);
  show_choices(actions_, *player_);
  gtk_window_present(window_.window());
  tick_.every(kTickMilliseconds, [this] { refresh(); });
  save_.every(kSaveMilliseconds, [this] { remember_position(); });
  if (!asked.urls.empty()) open_all(asked.urls);
}

PlayController::~PlayController() {
  gtk_widget_set_visible(GTK_WIDGET(window_.window()), FALSE);
  desktop_.reset();
  next_.stop();
  tick_.stop();
  save_.stop();
  presenter_->closed();
  player_.reset();
}

void PlayController::end(bool remember) {
  if (!ended_) return;
  if (remember) {
    remember_position();
  } else if (!title_.url.empty()) {
    films_.left_at(title_.url, std::nullopt);
  }
  std::exchange(ended_, nullptr)();
}

// ---- Which title is open

void PlayController::open_all(const std::vector<std::string>& texts) {
  const bool all_are_subtitles = std::ranges::all_of(texts, is_subtitle_file);
  if (all_are_subtitles && !title_.info.qualities.empty()) return add_subtitles(texts);
  std::vector<std::string> films;
  for (const std::string& text : texts) std::ranges::move(films_of(text), std::back_inserter(films));
  playlist_.set(std::move(films));
  play_from_list(0);
}

void PlayController::play_from_list(std::size_t number) {
  const std::size_t count = playlist_.addresses().size();
  if (number >= count) return;
  const std::string address = playlist_.go_to(number);
  actions_.enable("playlist", count > 1);
  open(address);
}

void PlayController::go_in_list(int by) {
  if (by > 0 && playlist_.has_next()) play_from_list(playlist_.current() + 1);
  if (by < 0 && playlist_.has_previous()) play_from_list(playlist_.current() - 1);
}

void PlayController::open(const std::string& text) {
  std::string url;
  try {
    url = address_to_play(text);
  } catch (const AddressError& error) {
    remember_position();
    player_->close();
    title_.url.clear();
    return show_problem(unplayable(error.what()));
  }
  const auto left_at = films_.position(url);
  const auto start = wishes_.take_start();
  open_at(url, start.value_or(left_at.value_or(Duration{})));
  if (!start && left_at) {
    window_.toast(say(_("Goes on at {}"), clock_text(*left_at)), _("From the Start"), "win.position(0.0)");
  }
}

void PlayController::open_at(const std::string& url, Duration position) {
  if (url != title_.url) {
    remember_position();
    player_->set_text_delay({});  // which was for the subtitles of the other; that of the sound is for the device
  }
  title_.url = url;
  title_.opened_at = position;
  window_.video().clear();
  window_.set_title(address_title(url), place_in(playlist_));
  window_.show_page(PlayWindow::Page::kVideo);
  presenter_->opening();
  try {
    title_.serve();
    player_->open(title_.streamed, position);
  } catch (const std::runtime_error& error) {
    player_->close();
    return show_problem(unplayable(error.what()));
  }
  player_->play();
  refresh();
}

void PlayController::stop() {
  remember_position();
  player_->close();
  title_.server.reset();
  title_.url.clear();
  window_.set_title("");
  window_.video().clear();
  window_.start().show(films_.latest());
  window_.show_page(PlayWindow::Page::kStart);
  desktop_->refresh();
}

void PlayController::remember_position() {
  const PlayerState state = player_->state();
  const bool playing = state == PlayerState::kPaused || state == PlayerState::kPlaying ||
                       state == PlayerState::kBuffering || state == PlayerState::kEnded;
  if (!playing || title_.url.empty() || title_.info.live) return;
  const bool ended = state == PlayerState::kEnded;
  films_.left_at(title_.url, ended ? std::nullopt : worth_resuming(player_->position(), player_->duration()));
}

void PlayController::add_subtitles(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    try {
      player_->add_text_file(path);
    } catch (const std::runtime_error& error) {
      window_.toast(say(_("These subtitles cannot be shown: {}"), error.what()));
    }
  }
}

// ---- What the player tells

void PlayController::state_changed(PlayerState state) {
  if (!player_) return;  // the player is being destroyed
  if (state == PlayerState::kClosed) {
    title_.forget();
    presenter_->closed();
    actions_.enable("open-text", false);
    commands_->closed();
  }
  desktop_->state_changed(state);
  if (state == PlayerState::kPaused || state == PlayerState::kEnded) window_.show_controls();
  if (state == PlayerState::kEnded) {
    remember_position();
    if (title_.info.live) window_.toast(_("The live stream has ended"));
    if (playlist_.has_next()) next_.once(0, [this] { go_in_list(1); });  // not within the player's call
  }
  refresh();
}

void PlayController::opened(const StreamInfo& info) {
  title_.learn(info);
  window_.set_title(title_.name(), place_in(playlist_));
  commands_->opened(info, title_.names);
  presenter_->opened();
  wishes_.choose(title_, *player_, [this](const std::string& text) { window_.toast(text); });
  add_subtitles(wishes_.take_subtitle_files());
  actions_.enable("open-text", true);
  films_.opened(title_.url, utc_now(), info.presentation.title);
  show_choices(actions_, *player_);
  refresh();
}

void PlayController::text_added(const StreamInfo& info) {
  title_.learn(info);
  commands_->opened(info, title_.names);
  presenter_->show_tracks();
  show_choices(actions_, *player_);
}

void PlayController::changed() {
  if (!player_) return;
  show_choices(actions_, *player_);
  refresh();
}

void PlayController::seeked(Duration position) {
  commands_->seeked();
  desktop_->seeked(position);
  refresh();
}

void PlayController::problem(const PlayerProblem& problem) {
  const ProblemText text = text_of(problem);
  if (problem.fatal) return show_problem(text);
  presenter_->lacks(text);
}

void PlayController::show_problem(const ProblemText& problem) {
  window_.problem().show(problem);
  window_.video().show_waiting("");
  window_.show_page(PlayWindow::Page::kProblem);
  actions_.enable("retry", !title_.url.empty());
  desktop_->refresh();
}

void PlayController::refresh() {
  presenter_->refresh(commands_->position(), actions_.switched_on("links"));
  ask_about_costs();
  if (desktop_) desktop_->refresh();
}

/// Asks about one link at a time. With --spend-for, the costs on the command line are an answer for their links.
void PlayController::ask_about_costs() {
  const PlayOptions& asked = wishes_.options();
  const StreamStatus status = player_->status();
  const bool spends = asked.stream.session.spend_for != kSpendForLowest;
  const auto open = std::ranges::find_if(status.links, [&](const LinkStatus& link) {
    const auto said = asked.stream.terms.find(link.name);
    const bool named = said != asked.stream.terms.end();
    if (!link.cost.spared() || (named && (spends || said->second.kind == CostKind::kBackup))) return false;
    return link.activity != LinkActivity::kDown && !asked.answers->of(link.name);
  });
  if (open == status.links.end() || window_.page() != PlayWindow::Page::kVideo) return window_.question().hide();
  window_.question().ask(*open);
}

}  // namespace tributary::play
