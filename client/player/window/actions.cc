#include "player/window/actions.hh"

#include <cassert>

namespace tributary::play {

void Actions::add(GSimpleAction* action, const char* signal, Call call) {
  g_action_map_add_action(map_, G_ACTION(action));
  signals_.on<void(GSimpleAction*, GVariant*)>(
      action, signal, [call = std::move(call)](GSimpleAction*, GVariant* value) { call(value); });
  g_object_unref(action);
}

void Actions::add(const char* name, std::function<void()> call) {
  add(g_simple_action_new(name, nullptr), "activate", [call = std::move(call)](GVariant*) { call(); });
}

void Actions::add_number(const char* name, std::function<void(double)> call) {
  add(g_simple_action_new(name, G_VARIANT_TYPE_DOUBLE), "activate",
      [call = std::move(call)](GVariant* value) { call(g_variant_get_double(value)); });
}

void Actions::add_text(const char* name, std::function<void(const std::string&)> call) {
  add(g_simple_action_new(name, G_VARIANT_TYPE_STRING), "activate",
      [call = std::move(call)](GVariant* value) { call(g_variant_get_string(value, nullptr)); });
}

void Actions::add_switch(const char* name, std::function<void(bool)> call) {
  add(g_simple_action_new_stateful(name, nullptr, g_variant_new_boolean(FALSE)), "change-state",
      [call = std::move(call)](GVariant* value) { call(g_variant_get_boolean(value) != FALSE); });
}

void Actions::add_choice(const char* name, const char* initial, std::function<void(const std::string&)> call) {
  add(g_simple_action_new_stateful(name, G_VARIANT_TYPE_STRING, g_variant_new_string(initial)), "change-state",
      [call = std::move(call)](GVariant* value) { call(g_variant_get_string(value, nullptr)); });
}

void Actions::add_number_choice(const char* name, double initial, std::function<void(double)> call) {
  add(g_simple_action_new_stateful(name, G_VARIANT_TYPE_DOUBLE, g_variant_new_double(initial)), "change-state",
      [call = std::move(call)](GVariant* value) { call(g_variant_get_double(value)); });
}

GSimpleAction* Actions::find(const char* name) const {
  GAction* action = g_action_map_lookup_action(map_, name);
  assert(action != nullptr);
  return G_SIMPLE_ACTION(action);
}

void Actions::set(const char* name, GVariant* state) { g_simple_action_set_state(find(name), state); }

void Actions::enable(const char* name, bool enabled) { g_simple_action_set_enabled(find(name), enabled); }

bool Actions::switched_on(const char* name) const {
  const GlibVariant state{g_action_get_state(G_ACTION(find(name)))};
  return g_variant_get_boolean(state.get()) != FALSE;
}

void Actions::activate(const std::string& detailed_name) {
  char* name = nullptr;
  GVariant* target = nullptr;
  const gboolean read = g_action_parse_detailed_name(detailed_name.c_str(), &name, &target, nullptr);
  assert(read);
  (void)read;
  const GlibString named{name};
  const GlibVariant value{target};
  g_action_activate(G_ACTION(find(name)), target);
}

}  // namespace tributary::play
