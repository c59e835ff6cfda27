#pragma once

#include <gio/gio.h>

#include <functional>
#include <string>

#include "player/glib/g_handles.hh"

namespace tributary::play {

/// The actions of a window, for menus, buttons, keys and screen readers.
class Actions {
 public:
  explicit Actions(GActionMap* map) : map_{map} {}

  void add(const char* name, std::function<void()> call);
  void add_number(const char* name, std::function<void(double)> call);
  void add_text(const char* name, std::function<void(const std::string&)> call);
  /// An action with a state, which menus show. `call` gets the wanted state; set() shows that it holds.
  void add_switch(const char* name, std::function<void(bool)> call);
  void add_choice(const char* name, const char* initial, std::function<void(const std::string&)> call);
  void add_number_choice(const char* name, double initial, std::function<void(double)> call);

  void set(const char* name, bool state) { set(name, g_variant_new_boolean(state)); }
  void set(const char* name, const std::string& state) { set(name, g_variant_new_string(state.c_str())); }
  void set(const char* name, double state) { set(name, g_variant_new_double(state)); }
  void enable(const char* name, bool enabled);
  bool switched_on(const char* name) const;

  /// "pause", "seek(-5.0)", "text::none": as in g_action_parse_detailed_name().
  void activate(const std::string& detailed_name);

 private:
  using Call = std::function<void(GVariant*)>;
  void add(GSimpleAction* action, const char* signal, Call call);
  void set(const char* name, GVariant* state);
  GSimpleAction* find(const char* name) const;

  GActionMap* map_;
  Signals signals_;
};

}  // namespace tributary::play
