#include "player/play_controller.hh"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "player/memory/address.hh"
#include "player/texts/problem_texts.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "presentation/segments/segment_table.hh"
#include "presentation/track_choice.hh"
#include "units/text/channel_address.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary::play {
namespace {

constexpr guint kTickMilliseconds = 250, kSaveMilliseconds = 60'000;

UtcTime now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

std::string listed(const std::vector<TrackNames::Choice>& choices) {
  std::string names;
  for (const TrackNames::Choice& choice : choices) names += (names.empty() ? "" : ", ") + choice.name;
  return names;
}

Duration start_of(SegmentIndex segment, const Presentation& presentation) {
  const SegmentTable table{presentation};
  return to_index(segment) < table.segment_count() ? table.starts_at(segment) : table.end();
}

void warn(const std::string& text) { print_text(stderr, "tributary-play: {}\n", text); }

}  // namespace

PlayController::PlayController(AdwApplication* application, PlayOptions options, std::function<void()> ended)
    : application_{application},
      preferences_file_{PreferencesFile::usual_path(), warn},
      preferences_{preferences_file_.read()},
      sound_asked_{!options.stream.sound.empty()},
      options_{with_preferences(std::move(options), preferences_)},
      ended_{std::move(ended)},
      history_{HistoryFile::usual_path(), warn},
      window_{GTK_APPLICATION(application), window_calls()},
      actions_{G_ACTION_MAP(window_.window())},
      awake_{GTK_APPLICATION(application), window_.window()},
      player_{std::make_unique<Player>(Player::Options{.stream = options_.stream, .audio_sink = options_.audio_sink},
                                       *this, window_.video().slot())} {
  commands_.emplace(*player_, [this](const std::string& text) { window_.video().tell(text); });
  presenter_.emplace(*player_, window_, options_.stream.session.buffer_segments);
  window_.video().when_resized([this](int width, int height) { player_->fit_pictures(width, height); });
  add_playback_actions();
  add_track_actions();
  add_window_actions();
  apply_colours();
  mpris_.emplace(mpris_calls());
  player_->set_volume(options_.volume_percent / 100.0);
  player_->set_muted(options_.muted);
  player_->set_loop(options_.loop);
  apply_preferences();
  if (options_.remember) window_.start().show(history_.read().latest());
  if (options_.fullscreen) set_fullscreen(true);
  if (options_.links_panel) window_.show_links(true);
  show_choices();
  gtk_window_present(window_.window());
  tick_.every(kTickMilliseconds, [this] { refresh(); });
  save_.every(kSaveMilliseconds, [this] { remember_position(); });
  if (!options_.urls.empty()) open_all(options_.urls);
}

PlayController::~PlayController() {
  gtk_widget_set_visible(GTK_WIDGET(window_.window()), FALSE);
  mpris_.reset();
  next_.stop();
  tick_.stop();
  save_.stop();
  forget_thumbnails();
  player_.reset();
}

void PlayController::apply_colours() const {
  AdwStyleManager* const manager = adw_style_manager_get_default();
  switch (preferences_.colours) {
    case Preferences::Colours::kOfDesktop:
      return adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_DEFAULT);
    case Preferences::Colours::kLight:
      return adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
    case Preferences::Colours::kDark:
      return adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_DARK);
  }
}

/// Tells the player what the command line, or else the user's preferences, say of its work.
void PlayController::apply_preferences() {
  player_->limit_quality(options_.most_lines.value_or(preferences_.lines));
  player_->use_hardware(options_.hardware || preferences_.hardware);
}

/// As its author calls it, as soon as that is known.
std::string PlayController::title() const {
  if (url_.empty()) return {};
  return info_.presentation.title.empty() ? address_title(url_) : info_.presentation.title;
}

std::string PlayController::place_in_list() const {
  const std::size_t count = playlist_.addresses().size();
  return count > 1 ? say(_("{} of {}"), playlist_.current() + 1, count) : std::string{};
}

void PlayController::open_all(const std::vector<std::string>& texts) {
  const bool all_are_subtitles = std::ranges::all_of(texts, is_subtitle_file);
  if (all_are_subtitles && !info_.qualities.empty()) {
    for (const std::string& text : texts) add_subtitles(text);
    return;
  }
  std::vector<std::string> films;
  for (const std::string& text : texts) std::ranges::move(films_of(text), std::back_inserter(films));
  playlist_.set(std::move(films));
  if (!playlist_.addresses().empty()) play_from_list(0);
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
    url_.clear();
    show_problem({.what = _("This Cannot Be Played"), .advice = error.what(), .detail = ""});
    return;
  }
  const auto left_at = options_.remember ? history_.read().position(url) : std::nullopt;
  const auto start = std::exchange(options_.start, std::nullopt);  // --start holds for the first title only
  open_at(url, start.value_or(left_at.value_or(Duration{})));
  if (!start && left_at) {
    window_.toast(say(_("Goes on at {}"), clock_text(*left_at)), _("From the Start"), "win.position(0.0)");
  }
}

void PlayController::open_at(const std::string& url, Duration position) {
  if (url != url_) {
    remember_position();
    player_->set_text_delay({});  // which was for the subtitles of the other; that of the sound is for the device
  }
  url_ = url;
  opened_at_ = position;
  window_.video().clear();
  window_.set_title(address_title(url), place_in_list());
  window_.show_page(PlayWindow::Page::kVideo);
  presenter_->opening(address_title(url));
  try {
    streamed_ = address_to_stream(url);
    player_->open(streamed_, position);
  } catch (const std::runtime_error& error) {
    player_->close();
    return show_problem({.what = _("This Cannot Be Played"), .advice = error.what(), .detail = ""});
  }
  player_->play();
  refresh();
}

/// The address to play: files of this computer come from our own server.
std::string PlayController::address_to_stream(const std::string& url) {
  const std::string local = local_path(url);
  if (local.empty()) {
    server_.reset();
    return url;
  }
  const std::filesystem::path path = std::filesystem::canonical(local);  // the segments lie beside the file itself
  if (!server_ || server_->folder() != path.parent_path()) server_ = std::make_unique<LocalServer>(path.parent_path());
  return with_channels(server_->address(path.filename()), channel_address(url).channels);
}

void PlayController::stop() {
  remember_position();
  player_->close();
  server_.reset();
  url_.clear();
  window_.set_title("");
  window_.video().clear();
  if (options_.remember) window_.start().show(history_.read().latest());
  window_.show_page(PlayWindow::Page::kStart);
  tell_desktop();
}

void PlayController::end(bool remember) {
  if (!ended_) return;
  remember_position(!remember);
  std::exchange(ended_, nullptr)();
}

void PlayController::remember_position(bool forget) {
  if (!options_.remember || url_.empty()) return;
  if (forget) return history_.change([&](AddressHistory& history) { history.left_at(url_, std::nullopt); });
  const bool playing = player_->state() == PlayerState::kPaused || player_->state() == PlayerState::kPlaying ||
                       player_->state() == PlayerState::kBuffering || player_->state() == PlayerState::kEnded;
  if (!playing || info_.live) return;
  const auto position =
      player_->state() == PlayerState::kEnded ? std::nullopt : worth_resuming(player_->position(), player_->duration());
  history_.change([&](AddressHistory& history) { history.left_at(url_, position); });
}

void PlayController::state_changed(PlayerState state) {
  if (!player_) return;  // the player is being destroyed
  if (state == PlayerState::kClosed) forget_title();
  awake_.inhibit(state == PlayerState::kPlaying || state == PlayerState::kBuffering);
  if (state == PlayerState::kPaused || state == PlayerState::kEnded) window_.show_controls();
  if (state == PlayerState::kEnded) {
    remember_position();
    if (info_.live) window_.toast(_("The live stream has ended"));
    if (playlist_.has_next()) next_.once(0, [this] { go_in_list(1); });  // not within the player's call
  }
  refresh();
}

/// Drops all that is known of the title.
void PlayController::forget_title() {
  info_ = {};
  names_ = {};
  note_ = {};
  forget_thumbnails();
  actions_.enable("open-text", false);
  commands_->closed();
}

void PlayController::opened(const StreamInfo& info) {
  info_ = info;
  names_ = track_names(info);
  window_.set_title(title(), place_in_list());
  commands_->opened(info, names_);
  presenter_->opened(info, names_);
  choose_asked_quality();
  choose_asked_tracks();
  for (const std::string& file : std::exchange(options_.subtitle_files, {})) add_subtitles(file);
  actions_.enable("open-text", true);
  show_thumbnails();
  if (options_.remember) {
    history_.change([this](AddressHistory& history) { history.opened(url_, now(), info_.presentation.title); });
  }
  show_choices();
  refresh();
}

void PlayController::text_added(const StreamInfo& info) {
  info_ = info;
  names_ = track_names(info);
  commands_->opened(info, names_);
  presenter_->opened(info, names_);
  show_choices();
}

void PlayController::add_subtitles(const std::string& path) {
  try {
    player_->add_text_file(path);
  } catch (const std::runtime_error& error) {
    window_.toast(say(_("These subtitles cannot be shown: {}"), error.what()));
  }
}

/// Chooses the quality of the command line, by its name in the index or in the menu.
void PlayController::choose_asked_quality() {
  if (!options_.quality) return;
  for (std::size_t i = 0; i < info_.qualities.size(); ++i) {
    const std::string& id = info_.presentation.tracks[info_.qualities[i]].id;
    if (*options_.quality == id || *options_.quality == names_.qualities[i]) {
      return player_->choose_quality(static_cast<QualityIndex>(i));
    }
  }
  std::string known;
  for (const std::string& name : names_.qualities) known += (known.empty() ? "" : ", ") + name;
  window_.toast(say(_("There is no quality “{}”, only: {}"), *options_.quality, known));
}

/// Of the command line, or as the user prefers. The stream has chosen the sound, unless the preference is new. Tells what
/// the title does not have.
void PlayController::choose_asked_tracks() {
  const auto found = [this](TrackKind kind, const std::string& wanted) {
    return wanted.empty() ? std::nullopt : find_track(info_.presentation, kind, wanted);
  };
  const std::string& asked = options_.stream.sound;
  if (!sound_asked_) {
    const auto preferred = found(TrackKind::kAudio, preferences_.sound);
    if (preferred && preferred != player_->sound()) player_->choose_sound(*preferred);
  } else if (!found(TrackKind::kAudio, asked)) {
    window_.toast(names_.sounds.empty()
                      ? std::string{_("There is no audio track to choose")}
                      : say(_("There is no audio track “{}”, only: {}"), asked, listed(names_.sounds)));
  }
  const std::string text = options_.subtitles.value_or(preferences_.subtitles);
  if (text == kNoSubtitles) return;
  if (const auto track = found(TrackKind::kText, text)) return player_->choose_text(track);
  if (!options_.subtitles || text.empty()) return;  // a preference is for titles that have them
  window_.toast(names_.texts.empty() ? std::string{_("There are no subtitles")}
                                     : say(_("There are no subtitles “{}”, only: {}"), text, listed(names_.texts)));
}

void PlayController::forget_thumbnails() {
  window_.controls().seek_bar().show_thumbnails(nullptr);
  thumbnails_.reset();
}

void PlayController::show_thumbnails() {
  forget_thumbnails();
  const Presentation& title = info_.presentation;
  if (title.thumbnails.empty()) return;
  const Track& leading = title.tracks.at(info_.qualities.at(0));
  SeekBar& bar = window_.controls().seek_bar();
  thumbnails_ = std::make_unique<Thumbnails>(
      Thumbnails::Source{.files = title.thumbnails,
                         .zero = from_seconds(static_cast<double>(leading.start) / leading.timescale),
                         .manifest = streamed_,
                         .rules = info_.rules},
      [this] { return links_for_side_files(player_->status().links); }, [&bar] { bar.thumbnail_arrived(); });
  bar.show_thumbnails([this](Duration position) { return thumbnails_->at(position); });
}

void PlayController::changed() {
  if (!player_) return;
  show_choices();
  refresh();
}

void PlayController::seeked(Duration position) {
  commands_->seeked();
  mpris_->seeked(position);
  refresh();
}

void PlayController::skipped(const SkippedSegment& skipped) {
  constexpr guint kShownMilliseconds = 5000;
  presenter_->skipped(info_.live ? player_->position() : start_of(skipped.segment, info_.presentation));
  const bool told = told_of_skip_.running();
  told_of_skip_.once(kShownMilliseconds, [] {});
  if (told) return;
  window_.toast(skipped.missing.empty()
                    ? say(_("Skipped ahead: it was {} behind the live edge"), span_text(skipped.lag))
                    : say(_("A part is left out: the server does not have {}"), skipped.missing));
}

void PlayController::subtitle(const std::string& markup) { window_.video().show_subtitle(markup); }

void PlayController::problem(const PlayerProblem& problem) {
  const ProblemText text = text_of(problem);
  if (problem.fatal) return show_problem(text);
  note_ = text;
  window_.toast(text.what, _("Details"), "win.explain");
}

void PlayController::show_problem(const ProblemText& problem) {
  window_.problem().show(problem);
  window_.video().show_waiting("");
  window_.show_page(PlayWindow::Page::kProblem);
  actions_.enable("retry", !url_.empty());
  tell_desktop();
}

void PlayController::refresh() {
  const bool links = actions_.switched_on("links") && ticks_++ % 2 == 0;
  presenter_->refresh(commands_->position(), links);
  ask_about_costs();
  tell_desktop();
}

/// Asks about one link at a time. With --spend-for, the costs on the command line are an answer for their links.
void PlayController::ask_about_costs() {
  const StreamStatus status = player_->status();
  const bool spends = options_.stream.session.spend_for != kSpendForLowest;
  const auto open = std::ranges::find_if(status.links, [&](const LinkStatus& link) {
    const auto said = options_.stream.terms.find(link.name);
    const bool named = said != options_.stream.terms.end();
    if (!link.cost.spared() || (named && (spends || said->second.kind == CostKind::kBackup))) return false;
    return link.activity != LinkActivity::kDown && !options_.answers->of(link.name);
  });
  if (open == status.links.end() || window_.page() != PlayWindow::Page::kVideo) return window_.question().hide();
  window_.question().ask(*open);
}

void PlayController::show_choices() {
  actions_.set("mute", player_->muted());
  actions_.set("loop", player_->loop());
  actions_.set("speed", player_->speed());
  const auto number = [](const auto& index, const char* none) {
    return index ? std::to_string(static_cast<std::size_t>(*index)) : std::string{none};
  };
  actions_.set("quality", number(player_->chosen_quality(), "auto"));
  actions_.set("sound", number(player_->sound(), "none"));
  actions_.set("text", number(player_->text(), "none"));
}

void PlayController::tell_desktop() {
  const PlayerState state = player_->state();
  const bool open = state != PlayerState::kClosed && state != PlayerState::kFailed;
  const Duration length = open ? player_->duration() : Duration{};
  using Status = MprisState::Status;
  if (!mpris_) return;
  mpris_->show({.status = !open || state == PlayerState::kEnded ? Status::kStopped
                          : player_->wants_to_play()            ? Status::kPlaying
                                                                : Status::kPaused,
                .can_seek = length > Duration{},
                .fullscreen = gtk_window_is_fullscreen(window_.window()) != FALSE,
                .loop = player_->loop(),
                .can_go_next = playlist_.has_next(),
                .can_go_previous = playlist_.has_previous(),
                .speed = player_->speed(),
                .volume = player_->muted() ? 0 : player_->volume(),
                .url = redacted(url_),
                .title = title(),
                .length = info_.live || length <= Duration{} ? std::nullopt : std::optional{length}});
}

}  // namespace tributary::play
