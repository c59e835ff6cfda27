#include <chrono>
#include <filesystem>

#include "player/desktop/file_manager.hh"
#include "player/memory/address.hh"
#include "player/picture/screenshot.hh"
#include "player/play_controller.hh"
#include "player/texts/translation.hh"
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
            options_.answers->chosen(link, use);
            player_->use_link(link, use);
          },
      .answer_metered =
          [this](const std::string& link, LinkUse use, bool remember) {
            options_.answers->answered(link, use, remember && options_.remember);
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
            tell_desktop();
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
          .set_fullscreen = [this](bool on) { set_fullscreen(on); },
          .set_loop = [this](bool loop) { commands_->set_loop(loop); },
          .position = [this] { return player_->position(); }};
}

void PlayController::add_playback_actions() {
  actions_.add("pause", [this] { commands_->toggle_pause(); });
  actions_.add_number("seek", [this](double seconds) { commands_->seek_by(from_seconds(seconds)); });
  actions_.add_number("position", [this](double seconds) { commands_->seek_to(from_seconds(seconds)); });
  actions_.add_number("chapter", [this](double direction) { commands_->go_to_chapter(static_cast<int>(direction)); });
  actions_.add("live", [this] { commands_->go_live(); });
  actions_.add_number("step", [this](double pictures) { commands_->step(static_cast<int>(pictures)); });
  actions_.add_number_choice("speed", 1, [this](double speed) { commands_->set_speed(speed); });
  actions_.add_number("speed-by", [this](double factor) { commands_->set_speed(player_->speed() * factor); });
  actions_.add_number("volume-by",
                      [this](double percent) { commands_->set_volume(player_->volume() + percent / 100); });
  actions_.add_switch("mute", [this](bool muted) { commands_->set_muted(muted); });
  actions_.add_switch("loop", [this](bool loop) { commands_->set_loop(loop); });
}

void PlayController::add_track_actions() {
  actions_.add_choice("quality", "auto", [this](const std::string& choice) { commands_->choose_quality(choice); });
  actions_.add_choice("sound", "none", [this](const std::string& choice) { commands_->choose_sound(choice); });
  actions_.add_choice("text", "none", [this](const std::string& choice) { commands_->choose_text(choice); });
  actions_.add("next-sound", [this] { commands_->next_sound(); });
  actions_.add_number("next-text", [this](double direction) { commands_->next_text(static_cast<int>(direction)); });
  actions_.add("text-shown", [this] { commands_->toggle_text(); });
  actions_.add_number("text-later", [this](double seconds) { commands_->delay_text_by(from_seconds(seconds)); });
  actions_.add_number("sound-later", [this](double seconds) { commands_->delay_sound_by(from_seconds(seconds)); });
}

void PlayController::add_window_actions() {
  actions_.add_switch("fullscreen", [this](bool on) { set_fullscreen(on); });
  actions_.add_switch("small", [this](bool small) {
    window_.be_small(small);
    actions_.set("small", small);
  });
  actions_.enable("small", window_.can_be_small());
  actions_.add("leave-fullscreen", [this] {
    const bool fullscreen = gtk_window_is_fullscreen(window_.window()) != FALSE;
    if (!fullscreen && player_->state() == PlayerState::kOpening) return stop();
    set_fullscreen(false);
  });
  actions_.add("cancel", [this] { stop(); });
  actions_.add_switch("links", [this](bool shown) { window_.show_links(shown); });
  actions_.add("show-controls", [this] { window_.show_controls(); });
  actions_.add("menu", [this] { window_.open_menu(); });
  actions_.add("screenshot", [this] { screenshot(); });
  actions_.add_text("show-file",
                    [this](const std::string& path) { show_in_folder(G_APPLICATION(application_), path); });
  actions_.add("open-address", [this] { ask_address(); });
  actions_.add("open-file",
               [this] { ask_for_files(window_.window(), [this](const auto& paths) { open_all(paths); }); });
  actions_.add("open-text", [this] {
    ask_for_subtitles(window_.window(), [this](const std::vector<std::string>& paths) {
      for (const std::string& path : paths) add_subtitles(path);
    });
  });
  actions_.enable("open-text", false);
  actions_.add("playlist", [this] { show_playlist(); });
  actions_.enable("playlist", false);
  actions_.add_number("next-title", [this](double by) { go_in_list(static_cast<int>(by)); });
  actions_.add("paste", [this] { paste(); });
  actions_.add("copy-address", [this] { copy_address(); });
  actions_.add("retry", [this] {
    if (!url_.empty()) open_at(url_, opened_at_);
  });
  actions_.add("explain", [this] { window_.explain(note_.what, note_.advice + "\n\n" + note_.detail); });
  actions_.add("shortcuts", [this] { show_shortcuts(); });
  actions_.add("preferences", [this] { show_preferences(); });
  actions_.add("about", [this] { show_about(); });
  actions_.add("quit", [this] { end(false); });
  actions_.add("quit-remember", [this] { end(true); });
}

void PlayController::set_fullscreen(bool on) {
  if (on) {
    gtk_window_fullscreen(window_.window());
  } else {
    gtk_window_unfullscreen(window_.window());
  }
}

void PlayController::screenshot() {
  const Ref<GdkTexture> picture = window_.video().picture();
  if (!picture) return window_.toast(_("There is no picture yet"));
  const std::string folder =
      options_.screenshot_folder.empty() ? usual_screenshot_folder() : options_.screenshot_folder;
  // The window may be gone before the file is written. The hold keeps the application alive until then.
  auto* application = G_APPLICATION(application_);
  g_application_hold(application);
  save_screenshot(
      picture, folder, title(), player_->position(),
      [this, application, alive = std::weak_ptr<int>{alive_}](const std::string& path, const std::string& error) {
        if (!alive.expired()) tell_of_screenshot(path, error);
        g_application_release(application);
      });
}

void PlayController::tell_of_screenshot(const std::string& path, const std::string& error) {
  if (path.empty()) return window_.toast(say(_("No screenshot: {}"), error));
  const GlibString show{g_action_print_detailed_name("win.show-file", g_variant_new_string(path.c_str()))};
  window_.toast(say(_("Saved as “{}”"), path), _("Show in Folder"), show.get());
}

void PlayController::ask_address() {
  const auto latest = options_.remember ? history_.read().latest() : std::vector<PlayedAddress>{};
  ask_for_address(window_.window(), url_, latest, [this](const std::string& address) { open_all({address}); });
}

void PlayController::show_playlist() {
  const std::vector<PlayedAddress> known = options_.remember ? history_.read().latest() : std::vector<PlayedAddress>{};
  std::vector<PlayedAddress> listed;
  for (const std::string& text : playlist_.addresses()) {
    PlayedAddress address{.url = text, .opened = {}, .position = {}};
    try {
      address.url = address_to_play(text);
    } catch (const AddressError&) {
      listed.push_back(address);  // it says why when it is opened
      continue;
    }
    const auto before = std::ranges::find(known, address.url, &PlayedAddress::url);
    listed.push_back(before == known.end() ? address : *before);
  }
  choose_from_playlist(window_.window(), listed, playlist_.current(),
                       [this](std::size_t number) { play_from_list(number); });
}

void PlayController::paste() {
  GdkClipboard* clipboard = gtk_widget_get_clipboard(GTK_WIDGET(window_.window()));
  struct Waiting {
    PlayController* self;
    std::weak_ptr<int> alive;
  };
  gdk_clipboard_read_text_async(
      clipboard, nullptr,
      [](GObject* source, GAsyncResult* result, gpointer data) {
        const std::unique_ptr<Waiting> waiting{static_cast<Waiting*>(data)};
        const GlibString text{gdk_clipboard_read_text_finish(GDK_CLIPBOARD(source), result, nullptr)};
        if (text && !waiting->alive.expired()) waiting->self->open_all({text.get()});
      },
      new Waiting{this, alive_});
}

void PlayController::copy_address() {
  if (url_.empty()) return;
  gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(window_.window())), url_.c_str());
  window_.toast(_("The address was copied"));
}

void PlayController::show_shortcuts() {
  const std::string description = shortcuts_window_description();
  const Ref<GtkBuilder> builder = Ref<GtkBuilder>::take(gtk_builder_new_from_string(description.c_str(), -1));
  auto* shortcuts = GTK_WINDOW(gtk_builder_get_object(builder.get(), "shortcuts"));
  gtk_window_set_transient_for(shortcuts, window_.window());
  gtk_window_present(shortcuts);
}

void PlayController::show_preferences() {
  play::show_preferences(window_.window(), preferences_, options_.answers->remembered(),
                         {.changed = [this](const Preferences& preferences) { prefer(preferences); },
                          .forget_films =
                              [this] {
                                history_.change([](AddressHistory& history) { history = {}; });
                                window_.start().show({});
                              },
                          .decide = [this](const std::string& network,
                                           std::optional<LinkUse> use) { options_.answers->decide(network, use); }});
}

/// Languages and decoders hold from the next title on, and what is remembered from the next start; all else at once.
void PlayController::prefer(const Preferences& preferences) {
  preferences_ = preferences;
  preferences_file_.write(preferences_);
  apply_preferences();
  apply_colours();
}

void PlayController::show_about() {
  adw_show_about_window(window_.window(), "application-name", _("Tributary"), "application-icon", TRIBUTARY_PLAY_ID,
                        "version", TRIBUTARY_VERSION, "license-type", GTK_LICENSE_MIT_X11, "comments",
                        _("Streams video over several links at once, from an ordinary web server."), nullptr);
}

}  // namespace tributary::play
