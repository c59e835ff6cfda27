#include "player/desktop/clipboard.hh"
#include "player/desktop/file_manager.hh"
#include "player/memory/address.hh"
#include "player/picture/screenshot.hh"
#include "player/play_controller.hh"
#include "player/texts/translation.hh"
#include "player/window/help_windows.hh"
#include "player/window/key_bindings.hh"
#include "player/window/open_dialogs.hh"
#include "player/window/preferences_window.hh"

namespace tributary::play {

PlayWindow::Calls PlayController::window_calls() {
  return {
      .controls = {.seek = [this](Duration position) { commands_->seek_to(position); },
                   .volume = [this](double volume) { commands_->set_volume(volume); }},
      .use_link =
          [this](const std::string& link, LinkUse use) {
            wishes_.options().answers->chosen(link, use);
            player_->use_link(link, use);
          },
      .answer_metered =
          [this](const std::string& link, LinkUse use, bool remember) {
            wishes_.options().answers->answered(link, use, remember && wishes_.options().remember);
            player_->use_link(link, use);
          },
      .open = [this](const std::vector<std::string>& addresses) { open_all(addresses); },
      .clicked = [this] { commands_->toggle_pause(); },
      .turned =
          [this](double notches) {
            constexpr double kNotch = 0.02;
            commands_->set_volume(player_->volume() + notches * kNotch);
          },
      .key =
          [this](guint key, GdkModifierType modifiers) {
            const char* action = action_of_key(key, modifiers);
            if (action != nullptr) actions_.activate(action);
            return action != nullptr;
          },
      .closing = [this] { end(true); },
      .fullscreen_changed =
          [this](bool on) {
            actions_.set("fullscreen", on);
            if (desktop_) desktop_->refresh();
          },
      .links_shown =
          [this](bool shown) {
            actions_.set("links", shown);
            refresh();
          },
      .may_hide_controls =
          [this] { return player_->state() == PlayerState::kPlaying || player_->state() == PlayerState::kBuffering; }};
}

Mpris::Calls PlayController::mpris_calls() {
  return {.raise = [this] { gtk_window_present(window_.window()); },
          .quit = [this] { end(true); },
          .play = [this] { player_->play(); },
          .pause = [this] { player_->pause(); },
          .toggle = [this] { commands_->toggle_pause(); },
          .stop = [this] { stop(); },
          .next = [this] { go_in_list(1); },
          .previous = [this] { go_in_list(-1); },
          .seek = [this](Duration by) { commands_->seek_by(by); },
          .set_position = [this](Duration to) { commands_->seek_to(to); },
          .open = [this](const std::string& url) { open_all({url}); },
          .set_speed = [this](double speed) { commands_->set_speed(speed); },
          .set_volume = [this](double volume) { commands_->set_volume(volume); },
          .set_fullscreen = [this](bool on) { window_.set_fullscreen(on); },
          .set_loop = [this](bool loop) { commands_->set_loop(loop); },
          .position = [this] { return player_->position(); }};
}

void PlayController::add_window_actions() {
  GtkWindow* const window = window_.window();
  actions_.add_switch("fullscreen", [this](bool on) {
    actions_.set("fullscreen", on);  // a second key may come before GTK tells of the change
    window_.set_fullscreen(on);
  });
  actions_.add_switch("small", [this](bool small) {
    window_.be_small(small);
    actions_.set("small", small);
  });
  actions_.enable("small", window_.can_be_small());
  actions_.add("leave-fullscreen", [this] {
    if (!window_.is_fullscreen() && player_->state() == PlayerState::kOpening) return stop();
    window_.set_fullscreen(false);
  });
  actions_.add_switch("links", [this](bool shown) { window_.show_links(shown); });
  actions_.add("show-controls", [this] { window_.show_controls(); });
  actions_.add("menu", [this] { window_.open_menu(); });
  actions_.add("screenshot", [this] { screenshot(); });
  actions_.add_text("show-file", [window](const std::string& path) {
    show_in_folder(G_APPLICATION(gtk_window_get_application(window)), path);
  });
  actions_.add("explain", [this] { presenter_->explain(); });
  actions_.add("shortcuts", [window] { show_shortcuts(window); });
  actions_.add("preferences", [this] { show_preferences(); });
  actions_.add("about", [window] { show_about(window); });
  actions_.add("quit", [this] { end(false); });
  actions_.add("quit-remember", [this] { end(true); });
}

/// Those that say which title is open.
void PlayController::add_title_actions() {
  GtkWindow* const window = window_.window();
  using Text = const std::string&;
  using Texts = const std::vector<std::string>&;
  actions_.add("open-address", [this, window] {
    ask_for_address(window, title_.url, films_.latest(), [this](Text address) { open_all({address}); });
  });
  actions_.add("open-file", [this, window] { ask_for_files(window, [this](Texts paths) { open_all(paths); }); });
  actions_.add("open-text",
               [this, window] { ask_for_subtitles(window, [this](Texts paths) { add_subtitles(paths); }); });
  actions_.enable("open-text", false);
  actions_.add("paste", [this, window] { read_clipboard(window, late_.to([this](Text text) { open_all({text}); })); });
  actions_.add("copy-address", [this, window] {
    if (title_.url.empty()) return;
    copy_to_clipboard(window, title_.url);
    window_.toast(_("The address was copied"));
  });
  actions_.add("playlist", [this] { show_playlist(); });
  actions_.enable("playlist", false);
  actions_.add_number("next-title", [this](double by) { go_in_list(static_cast<int>(by)); });
  actions_.add("retry", [this] {
    if (!title_.url.empty()) open_at(title_.url, title_.opened_at);
  });
  actions_.add("cancel", [this] { stop(); });
}

void PlayController::screenshot() {
  const Ref<GdkTexture> picture = window_.video().picture();
  if (!picture) return window_.toast(_("There is no picture yet"));
  const std::string& folder = wishes_.options().screenshot_folder;
  const auto tell = [this](const std::string& path, const std::string& error) {
    if (path.empty()) return window_.toast(say(_("No screenshot: {}"), error));
    const GlibString show{g_action_print_detailed_name("win.show-file", g_variant_new_string(path.c_str()))};
    window_.toast(say(_("Saved as “{}”"), path), _("Show in Folder"), show.get());
  };
  save_screenshot(picture, folder.empty() ? usual_screenshot_folder() : folder, title_.name(), player_->position(),
                  late_.to(tell));
}

void PlayController::show_playlist() {
  std::vector<std::string> urls;
  for (const std::string& text : playlist_.addresses()) {
    try {
      urls.push_back(address_to_play(text));
    } catch (const AddressError&) {
      urls.push_back(text);  // it says why when it is opened
    }
  }
  choose_from_playlist(window_.window(), films_.known_of(urls), playlist_.current(),
                       [this](std::size_t number) { play_from_list(number); });
}

void PlayController::show_preferences() {
  const std::shared_ptr<LinkAnswers> answers = wishes_.options().answers;
  play::show_preferences(
      window_.window(), wishes_.preferences(), answers->remembered(),
      {.changed =
           [this](const Preferences& preferences) {
             wishes_.prefer(preferences, *player_);
             show_colours(preferences.colours);
           },
       .forget_films =
           [this] {
             films_.forget_all();
             window_.start().show({});
           },
       .decide = [answers](const std::string& network, std::optional<LinkUse> use) { answers->decide(network, use); }});
}

}  // namespace tributary::play
