#include "player/window/track_menus.hh"

#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

using Menu = Ref<GMenu>;

Menu new_menu() { return Menu::take(g_menu_new()); }

Ref<GMenuModel> model_of(const Menu& menu) { return Ref<GMenuModel>::share(G_MENU_MODEL(menu.get())); }

void add(const Menu& menu, const std::string& label, const char* action, const std::string& target) {
  const Ref<GMenuItem> item = Ref<GMenuItem>::take(g_menu_item_new(label.c_str(), nullptr));
  g_menu_item_set_action_and_target_value(item.get(), action, g_variant_new_string(target.c_str()));
  g_menu_append_item(menu.get(), item.get());
}

void add_section(const Menu& menu, const char* title, const Menu& section) {
  g_menu_append_section(menu.get(), title, G_MENU_MODEL(section.get()));
}

void add_choices(const Menu& section, const std::vector<TrackNames::Choice>& choices, const char* action) {
  for (const auto& choice : choices) add(section, choice.name, action, std::to_string(choice.track));
}

}  // namespace

Ref<GMenuModel> quality_menu(const TrackNames& names) {
  const Menu menu = new_menu(), automatic = new_menu(), fixed = new_menu();
  add(automatic, _("Automatic"), "win.quality", "auto");
  for (std::size_t i = names.qualities.size(); i-- > 0;) {
    add(fixed, names.qualities[i], "win.quality", std::to_string(i));
  }
  add_section(menu, _("Quality"), automatic);
  add_section(menu, nullptr, fixed);
  return model_of(menu);
}

Ref<GMenuModel> track_menu(const TrackNames& names) {
  const Menu menu = new_menu(), sounds = new_menu(), texts = new_menu();
  add_choices(sounds, names.sounds, "win.sound");
  add(texts, _("None"), "win.text", "none");
  add_choices(texts, names.texts, "win.text");
  if (!names.sounds.empty()) add_section(menu, _("Audio"), sounds);
  if (!names.texts.empty()) add_section(menu, _("Subtitles"), texts);
  return model_of(menu);
}

Ref<GMenuModel> speed_menu() {
  const Menu menu = new_menu(), speeds = new_menu(), others = new_menu();
  for (const double speed : {0.5, 0.75, 1.0, 1.25, 1.5, 2.0}) {
    const Ref<GMenuItem> item = Ref<GMenuItem>::take(g_menu_item_new(speed_text(speed).c_str(), nullptr));
    g_menu_item_set_action_and_target_value(item.get(), "win.speed", g_variant_new_double(speed));
    g_menu_append_item(speeds.get(), item.get());
  }
  g_menu_append(others.get(), _("Loop"), "win.loop");
  add_section(menu, _("Speed"), speeds);
  add_section(menu, nullptr, others);
  return model_of(menu);
}

}  // namespace tributary::play
