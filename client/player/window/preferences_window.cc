#include "player/window/preferences_window.hh"

#include <adwaita.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "player/glib/g_handles.hh"
#include "player/texts/translation.hh"
#include "presentation/language_tag.hh"

namespace tributary::play {
namespace {

using Colours = Preferences::Colours;

constexpr std::array<Colours, 3> kColourChoices{Colours::kOfDesktop, Colours::kLight, Colours::kDark};
constexpr std::array<LinkUse, 3> kUseChoices{LinkUse::kUse, LinkUse::kWhenNeeded, LinkUse::kDoNotUse};
constexpr std::array<int, 7> kLineChoices{0, 2160, 1440, 1080, 720, 480, 360};

/// Owned by its window.
class PreferencesWindow {
 public:
  PreferencesWindow(GtkWindow* parent, Preferences now, const std::map<std::string, LinkUse>& networks,
                    PreferencesCalls calls)
      : window_{adw_preferences_window_new()}, preferences_{std::move(now)}, calls_{std::move(calls)} {
    gtk_window_set_transient_for(GTK_WINDOW(window_), parent);
    gtk_window_set_modal(GTK_WINDOW(window_), TRUE);
    adw_preferences_window_set_search_enabled(ADW_PREFERENCES_WINDOW(window_), FALSE);
    auto* const page = ADW_PREFERENCES_PAGE(adw_preferences_page_new());
    adw_preferences_page_add(page, films());
    if (!networks.empty()) adw_preferences_page_add(page, links(networks));
    adw_preferences_page_add(page, appearance());
    adw_preferences_page_add(page, memory());
    adw_preferences_window_add(ADW_PREFERENCES_WINDOW(window_), page);
  }
  void present() { gtk_window_present(GTK_WINDOW(window_)); }
  GtkWidget* widget() const { return window_; }

 private:
  static AdwPreferencesGroup* group(const char* title) {
    GtkWidget* const made = adw_preferences_group_new();
    adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(made), title);
    return ADW_PREFERENCES_GROUP(made);
  }
  AdwPreferencesGroup* films() {
    AdwPreferencesGroup* const made = group(_("Films"));
    std::vector<std::string> qualities{_("As the links allow")};
    for (const int lines : kLineChoices) {
      if (lines > 0) qualities.push_back(say(_("At most {}p"), lines));
    }
    const auto* const now = std::ranges::find(kLineChoices, preferences_.lines);
    add_choice(made, _("Quality"), qualities,
               now == kLineChoices.end() ? 0 : static_cast<guint>(now - kLineChoices.begin()),
               [this](guint chosen) { preferences_.lines = kLineChoices.at(chosen); });
    add_language(made, _("Language of the sound, as de or pt-BR"), &Preferences::sound);
    add_language(made, _("Language of subtitles; empty for none"), &Preferences::subtitles);
    add_switch(made, _("Decode pictures with the graphics card, where it can"), &Preferences::hardware);
    return made;
  }
  AdwPreferencesGroup* links(const std::map<std::string, LinkUse>& networks) {
    AdwPreferencesGroup* const made = group(_("Links That Cost Something"));
    for (const auto& [network, use] : networks) {
      add_choice(made, network.c_str(), {_("Use it"), _("Only when needed"), _("Do not use it"), _("Ask again")},
                 static_cast<guint>(std::ranges::find(kUseChoices, use) - kUseChoices.begin()),
                 [this, network = network](guint chosen) {
                   calls_.decide(network,
                                 chosen < kUseChoices.size() ? std::optional{kUseChoices.at(chosen)} : std::nullopt);
                 });
    }
    return made;
  }
  AdwPreferencesGroup* appearance() {
    AdwPreferencesGroup* const made = group(_("Appearance"));
    const auto* const now = std::ranges::find(kColourChoices, preferences_.colours);
    add_choice(made, _("Colours"), {_("As the desktop"), _("Light"), _("Dark")},
               static_cast<guint>(now - kColourChoices.begin()),
               [this](guint chosen) { preferences_.colours = kColourChoices.at(chosen); });
    return made;
  }
  AdwPreferencesGroup* memory() {
    AdwPreferencesGroup* const made = group(_("What Is Remembered"));
    add_switch(made, _("Films, and where they were left"), &Preferences::remembers);
    add_button(made, _("Forget the films"), calls_.forget_films);
    return made;
  }
  void add_switch(AdwPreferencesGroup* to, const char* title, bool Preferences::*choice) {
    GtkWidget* const toggle = gtk_switch_new();
    gtk_switch_set_active(GTK_SWITCH(toggle), preferences_.*choice ? TRUE : FALSE);
    signals_.on_notify(toggle, "active", [this, toggle, choice] {
      preferences_.*choice = gtk_switch_get_active(GTK_SWITCH(toggle)) != FALSE;
      calls_.changed(preferences_);
    });
    add_row(to, title, toggle);
  }
  static void add_row(AdwPreferencesGroup* to, const char* title, GtkWidget* control) {
    GtkWidget* const row = adw_action_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    gtk_widget_set_valign(control, GTK_ALIGN_CENTER);
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), control);
    adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), control);
    adw_preferences_group_add(to, row);
  }
  void add_button(AdwPreferencesGroup* to, const char* title, const std::function<void()>& call) {
    GtkWidget* const button = gtk_button_new_with_label(_("Forget"));
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    signals_.on<void(GtkButton*)>(button, "clicked", [button, call](GtkButton*) {
      call();
      gtk_widget_set_sensitive(button, FALSE);
    });
    add_row(to, title, button);
  }
  void add_choice(AdwPreferencesGroup* to, const char* title, const std::vector<std::string>& names, guint chosen,
                  const std::function<void(guint)>& choose) {
    const auto list = Ref<GtkStringList>::take(gtk_string_list_new(nullptr));
    for (const std::string& name : names) gtk_string_list_append(list.get(), name.c_str());
    GtkWidget* const row = adw_combo_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    adw_combo_row_set_model(ADW_COMBO_ROW(row), G_LIST_MODEL(list.get()));
    adw_combo_row_set_selected(ADW_COMBO_ROW(row), chosen);
    signals_.on_notify(row, "selected", [this, row, choose] {
      choose(adw_combo_row_get_selected(ADW_COMBO_ROW(row)));
      calls_.changed(preferences_);
    });
    adw_preferences_group_add(to, row);
  }
  /// A word that is no language is marked, and not taken.
  void add_language(AdwPreferencesGroup* to, const char* title, std::string Preferences::*language) {
    GtkWidget* const row = adw_entry_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    gtk_editable_set_text(GTK_EDITABLE(row), (preferences_.*language).c_str());
    signals_.on<void(GtkEditable*)>(row, "changed", [this, row, language](GtkEditable* editable) {
      const std::string typed = gtk_editable_get_text(editable);
      const auto known = language_tag(typed);
      const bool is_none = !typed.empty() && !known;
      if (is_none)
        gtk_widget_add_css_class(row, "error");
      else
        gtk_widget_remove_css_class(row, "error");
      if (is_none) return;
      preferences_.*language = known.value_or("");
      calls_.changed(preferences_);
    });
    adw_preferences_group_add(to, row);
  }

  GtkWidget* window_;
  Preferences preferences_;
  PreferencesCalls calls_;
  Signals signals_;
};

}  // namespace

void show_colours(Preferences::Colours colours) {
  AdwStyleManager* const manager = adw_style_manager_get_default();
  switch (colours) {
    case Preferences::Colours::kOfDesktop:
      return adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_DEFAULT);
    case Preferences::Colours::kLight:
      return adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_LIGHT);
    case Preferences::Colours::kDark:
      return adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_FORCE_DARK);
  }
}

void show_preferences(GtkWindow* parent, const Preferences& now, const std::map<std::string, LinkUse>& networks,
                      PreferencesCalls calls) {
  auto* window = new PreferencesWindow{parent, now, networks, std::move(calls)};
  g_object_weak_ref(
      G_OBJECT(window->widget()), [](gpointer data, GObject*) { delete static_cast<PreferencesWindow*>(data); },
      window);
  window->present();
}

}  // namespace tributary::play
