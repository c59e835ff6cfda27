#include "player/window/play_window.hh"

#include <adwaita.h>

#include <algorithm>
#include <utility>

#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

constexpr int kWidth = 1000, kHeight = 600, kLeastWidth = 360, kLeastHeight = 300, kSmallWidth = 480;
constexpr int kPanelWidth = 364;

GtkWidget* chrome_revealer(GtkWidget* child, GtkAlign where) {
  GtkWidget* revealer = gtk_revealer_new();
  gtk_revealer_set_transition_type(GTK_REVEALER(revealer), GTK_REVEALER_TRANSITION_TYPE_CROSSFADE);
  gtk_revealer_set_reveal_child(GTK_REVEALER(revealer), TRUE);
  gtk_revealer_set_child(GTK_REVEALER(revealer), child);
  gtk_widget_set_valign(revealer, where);
  return revealer;
}

Ref<GMenuModel> main_menu() {
  const Ref<GMenu> menu = Ref<GMenu>::take(g_menu_new());
  const auto section = [&](std::initializer_list<std::pair<const char*, const char*>> items) {
    const Ref<GMenu> part = Ref<GMenu>::take(g_menu_new());
    for (const auto& [label, action] : items) g_menu_append(part.get(), label, action);
    g_menu_append_section(menu.get(), nullptr, G_MENU_MODEL(part.get()));
  };
  section({{_("_Open an Address…"), "win.open-address"},
           {_("Open a _File…"), "win.open-file"},
           {_("_Playlist"), "win.playlist"},
           {_("Add _Subtitles…"), "win.open-text"}});
  section({{_("_Copy the Address"), "win.copy-address"}, {_("Take a _Screenshot"), "win.screenshot"}});
  section({{_("_Links Panel"), "win.links"},
           {_("L_oop"), "win.loop"},
           {_("_Fullscreen"), "win.fullscreen"},
           {_("Picture in P_icture"), "win.small"}});
  section({{_("_Preferences"), "win.preferences"},
           {_("_Keyboard Shortcuts"), "win.shortcuts"},
           {_("_About Tributary"), "win.about"},
           {_("_Quit"), "win.quit-remember"}});
  return Ref<GMenuModel>::share(G_MENU_MODEL(menu.get()));
}

const char* page_name(PlayWindow::Page page) {
  switch (page) {
    case PlayWindow::Page::kStart:
      return "start";
    case PlayWindow::Page::kVideo:
      return "video";
    case PlayWindow::Page::kProblem:
      return "problem";
  }
  return "";
}

}  // namespace

PlayWindow::PlayWindow(GtkApplication* application, Calls calls)
    : calls_{std::move(calls)},
      window_{adw_application_window_new(application)},
      controls_{calls_.controls},
      links_{calls_.use_link},
      question_{calls_.answer_metered},
      start_{[this](const std::string& address) { calls_.open({address}); }},
      flap_{adw_flap_new()},
      toasts_{adw_toast_overlay_new()},
      stack_{gtk_stack_new()},
      title_{adw_window_title_new(_("Tributary"), nullptr)},
      menu_{gtk_menu_button_new()} {
  g_object_ref(window_);
  gtk_window_set_default_size(window(), kWidth, kHeight);
  gtk_widget_set_size_request(window_, kLeastWidth, kLeastHeight);
  gtk_window_set_title(window(), _("Tributary"));
  gtk_window_set_icon_name(window(), TRIBUTARY_PLAY_ID);
  GtkWidget* all = content();
  auto* flap = ADW_FLAP(flap_);
  adw_flap_set_content(flap, all);
  adw_flap_set_flap(flap, side());
  adw_flap_set_flap_position(flap, GTK_PACK_END);
  adw_flap_set_separator(flap, gtk_separator_new(GTK_ORIENTATION_VERTICAL));
  adw_flap_set_reveal_flap(flap, FALSE);
  adw_flap_set_locked(flap, TRUE);  // in a narrow window it lies over the picture, until the user hides it
  adw_flap_set_swipe_to_open(flap, FALSE);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window_), flap_);

  auto_hide_ = std::make_unique<AutoHide>(all, AutoHide::Calls{.may_hide =
                                                                   [this] {
                                                                     return page_ == Page::kVideo &&
                                                                            !controls_.has_open_menu() &&
                                                                            !is_menu_open(menu_) &&
                                                                            calls_.may_hide_controls();
                                                                   },
                                                               .changed = [this](bool shown) { show_chrome(shown); }});
  auto_hide_->keep_for(controls_.widget());
  auto_hide_->keep_for(header_bar_);
  take_keys();
  signals_.on_notify(window_, "focus-widget", [this] { focus_moved(); });
  take_pointer();
  take_drops();
  signals_.on<gboolean(GtkWindow*)>(window_, "close-request", [this](GtkWindow*) -> gboolean {
    calls_.closing();
    return TRUE;  // do not destroy the window: its owner does
  });
  signals_.on_notify(window_, "fullscreened", [this] {
    const bool on = is_fullscreen();
    adw_header_bar_set_show_end_title_buttons(ADW_HEADER_BAR(header_bar_), !on);
    calls_.fullscreen_changed(on);
  });
  signals_.on_notify(flap_, "reveal-flap", [this] {
    const bool shown = adw_flap_get_reveal_flap(ADW_FLAP(flap_)) != FALSE;
    adw_header_bar_set_show_end_title_buttons(ADW_HEADER_BAR(header_bar_), !shown);
    calls_.links_shown(shown);
  });
  show_page(Page::kStart);
}

PlayWindow::~PlayWindow() {
  signals_.clear();
  of_toasts_.clear();
  g_clear_weak_pointer(&focus_before_menu_);
  auto_hide_.reset();
  gtk_window_destroy(window());
  g_object_unref(window_);
}

GtkWidget* PlayWindow::content() {
  for (const auto& [page, widget] : {std::pair{Page::kStart, start_.widget()},
                                     {Page::kVideo, video_.widget()},
                                     {Page::kProblem, problem_.widget()}}) {
    gtk_stack_add_named(GTK_STACK(stack_), widget, page_name(page));
  }
  gtk_stack_set_transition_type(GTK_STACK(stack_), GTK_STACK_TRANSITION_TYPE_CROSSFADE);
  constexpr int kHeaderHeight = 46;  // it covers the top of the page
  for (GtkWidget* page : {start_.widget(), problem_.widget()}) gtk_widget_set_margin_top(page, kHeaderHeight);
  gtk_widget_set_focusable(video_.widget(), TRUE);
  header_revealer_ = chrome_revealer(header(), GTK_ALIGN_START);
  controls_revealer_ = chrome_revealer(controls_.widget(), GTK_ALIGN_END);
  GtkWidget* size = gtk_drawing_area_new();  // draws nothing, but reports its width
  gtk_widget_set_can_target(size, FALSE);
  signals_.on<void(GtkDrawingArea*, int, int)>(size, "resize",
                                               [this](GtkDrawingArea*, int width, int) { resized(width); });
  GtkWidget* overlay = gtk_overlay_new();
  gtk_overlay_set_child(GTK_OVERLAY(overlay), stack_);
  for (GtkWidget* over : {size, controls_revealer_, header_revealer_, question_.widget()}) {
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), over);
  }
  adw_toast_overlay_set_child(ADW_TOAST_OVERLAY(toasts_), overlay);
  gtk_widget_set_hexpand(toasts_, TRUE);
  return toasts_;
}

GtkWidget* PlayWindow::header() {
  header_bar_ = adw_header_bar_new();
  gtk_widget_add_css_class(header_bar_, "flat");
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(header_bar_), title_);
  gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(menu_), "open-menu-symbolic");
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(menu_), main_menu().get());
  gtk_menu_button_set_primary(GTK_MENU_BUTTON(menu_), TRUE);
  gtk_widget_set_focus_on_click(menu_, FALSE);
  set_name(menu_, _("Menu"));
  adw_header_bar_pack_start(ADW_HEADER_BAR(header_bar_),
                            icon_button("document-open-symbolic", _("Open an address"), "win.open-address"));
  adw_header_bar_pack_end(ADW_HEADER_BAR(header_bar_), menu_);
  GtkWidget* handle = gtk_window_handle_new();
  gtk_window_handle_set_child(GTK_WINDOW_HANDLE(handle), header_bar_);
  return handle;
}

GtkWidget* PlayWindow::side() {
  GtkWidget* bar = adw_header_bar_new();
  gtk_widget_add_css_class(bar, "flat");
  adw_header_bar_set_show_start_title_buttons(ADW_HEADER_BAR(bar), FALSE);
  adw_header_bar_set_title_widget(ADW_HEADER_BAR(bar), adw_window_title_new(_("Links"), nullptr));
  adw_header_bar_pack_start(ADW_HEADER_BAR(bar),
                            icon_button("go-next-symbolic", _("Close the links panel"), "win.links"));
  GtkWidget* column = column_of(0, {bar, links_.widget()});
  gtk_widget_add_css_class(column, "background");
  gtk_widget_set_size_request(column, kPanelWidth, -1);
  gtk_widget_set_hexpand(column, FALSE);  // the picture gets the rest of the width
  return column;
}

/// Keys go to the player first, except in an entry, in a menu, or on a control that was reached by Tab.
void PlayWindow::take_keys() {
  GtkEventController* keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  signals_.on<gboolean(GtkEventControllerKey*, guint, guint, GdkModifierType)>(
      keys, "key-pressed", [this](GtkEventControllerKey*, guint key, guint, GdkModifierType modifiers) -> gboolean {
        if (keyboard_is_elsewhere(key)) return FALSE;
        return calls_.key(key, modifiers);
      });
  gtk_widget_add_controller(window_, keys);
}

bool PlayWindow::keyboard_is_elsewhere(guint key) const {
  GtkWidget* focus = gtk_window_get_focus(window());
  if (focus == nullptr || focus == window_ || focus == video_.widget()) return false;
  if (GTK_IS_EDITABLE(focus) || gtk_widget_get_ancestor(focus, GTK_TYPE_POPOVER) != nullptr) return true;
  switch (key) {
    case GDK_KEY_space:
    case GDK_KEY_Left:
    case GDK_KEY_Right:
    case GDK_KEY_Up:
    case GDK_KEY_Down:
    case GDK_KEY_Home:
    case GDK_KEY_End:
    case GDK_KEY_Page_Up:
    case GDK_KEY_Page_Down:
      return true;
    default:
      return false;
  }
}

/// A menu that closes gives the keyboard back to whatever had it before. GTK gives it to the menu's button, where Space
/// would open the menu again.
void PlayWindow::focus_moved() {
  GtkWidget* const focus = gtk_window_get_focus(window());
  const bool was_in_menu =
      std::exchange(in_menu_, focus != nullptr && gtk_widget_get_ancestor(focus, GTK_TYPE_POPOVER_MENU) != nullptr);
  if (in_menu_) return;
  if (!was_in_menu) {
    g_set_weak_pointer(&focus_before_menu_, focus);
  } else if (focus_before_menu_ != nullptr && focus != focus_before_menu_) {
    give_back_.once(0, [this] {
      if (!in_menu_ && focus_before_menu_ != nullptr) gtk_widget_grab_focus(focus_before_menu_);
    });
  }
}

void PlayWindow::take_pointer() {
  GtkGesture* click = gtk_gesture_click_new();
  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_PRIMARY);
  signals_.on<void(GtkGestureClick*, int, double, double)>(
      click, "released", [this](GtkGestureClick*, int times, double, double) {
        gtk_widget_grab_focus(video_.widget());
        if (times == 1) {  // waits: it may become a double click
          int milliseconds = 400;
          g_object_get(gtk_widget_get_settings(window_), "gtk-double-click-time", &milliseconds, nullptr);
          click_.once(static_cast<guint>(milliseconds), calls_.clicked);
        } else if (times == 2) {
          click_.stop();
          gtk_widget_activate_action(window_, "win.fullscreen", nullptr);
        }
      });
  gtk_widget_add_controller(video_.widget(), GTK_EVENT_CONTROLLER(click));
  GtkEventController* wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  signals_.on<gboolean(GtkEventControllerScroll*, double, double)>(
      wheel, "scroll", [this](GtkEventControllerScroll*, double, double down) -> gboolean {
        calls_.turned(-down);
        return TRUE;
      });
  gtk_widget_add_controller(video_.widget(), wheel);
}

void PlayWindow::take_drops() {
  GtkDropTarget* target = gtk_drop_target_new(G_TYPE_INVALID, GDK_ACTION_COPY);
  GType types[] = {GDK_TYPE_FILE_LIST, G_TYPE_STRING};
  gtk_drop_target_set_gtypes(target, types, std::size(types));
  signals_.on<gboolean(GtkDropTarget*, const GValue*, double, double)>(
      target, "drop", [this](GtkDropTarget*, const GValue* value, double, double) -> gboolean {
        if (G_VALUE_HOLDS_STRING(value)) {
          calls_.open({text_of(g_value_get_string(value))});
          return TRUE;
        }
        const auto* files = static_cast<const GSList*>(g_value_get_boxed(value));
        if (files == nullptr) return FALSE;
        std::vector<std::string> addresses;
        for (const GSList* item = files; item != nullptr; item = item->next) {
          auto* file = G_FILE(item->data);
          const GlibString path{g_file_get_path(file)}, uri{g_file_get_uri(file)};
          addresses.emplace_back(g_file_is_native(file) && path ? path.get() : uri.get());
        }
        calls_.open(addresses);
        return TRUE;
      });
  gtk_widget_add_controller(window_, GTK_EVENT_CONTROLLER(target));
}

void PlayWindow::show_page(Page page) {
  page_ = page;
  gtk_stack_set_visible_child_name(GTK_STACK(stack_), page_name(page));
  gtk_widget_set_visible(controls_revealer_, page == Page::kVideo);
  if (page == Page::kVideo) {
    gtk_widget_add_css_class(toasts_, "over-video");
    gtk_widget_grab_focus(video_.widget());
  } else {
    gtk_widget_remove_css_class(toasts_, "over-video");
  }
  auto_hide_->show();
}

void PlayWindow::set_title(const std::string& title, const std::string& place) {
  const std::string shown = title.empty() ? std::string{_("Tributary")} : title;
  adw_window_title_set_title(ADW_WINDOW_TITLE(title_), shown.c_str());
  adw_window_title_set_subtitle(ADW_WINDOW_TITLE(title_), place.c_str());
  gtk_window_set_title(window(), shown.c_str());
}

void PlayWindow::show_links(bool shown) { adw_flap_set_reveal_flap(ADW_FLAP(flap_), shown); }

void PlayWindow::set_fullscreen(bool on) { (on ? gtk_window_fullscreen : gtk_window_unfullscreen)(window()); }

void PlayWindow::open_menu() {
  auto_hide_->show();
  gtk_menu_button_popup(GTK_MENU_BUTTON(menu_));
}

void PlayWindow::toast(const std::string& text, const char* button, const char* action) {
  const GlibString escaped{g_markup_escape_text(text.c_str(), -1)};
  AdwToast* toast = adw_toast_new(escaped.get());
  if (button != nullptr) {
    adw_toast_set_button_label(toast, button);
    adw_toast_set_detailed_action_name(toast, action);
  }
  ++toasts_shown_;
  of_toasts_.on<void(AdwToast*)>(toast, "dismissed", [this](AdwToast*) {
    --toasts_shown_;
    leave_room_for_subtitles();
    if (toasts_shown_ == 0) of_toasts_.clear();
  });
  adw_toast_overlay_add_toast(ADW_TOAST_OVERLAY(toasts_), toast);
  leave_room_for_subtitles();
}

void PlayWindow::explain(const std::string& what, const std::string& detail) {
  GtkWidget* dialog = adw_message_dialog_new(window(), what.c_str(), detail.c_str());
  adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "close", _("_Close"));
  gtk_window_present(GTK_WINDOW(dialog));
}

void PlayWindow::show_chrome(bool shown) {
  gtk_revealer_set_reveal_child(GTK_REVEALER(header_revealer_), shown);
  gtk_revealer_set_reveal_child(GTK_REVEALER(controls_revealer_), shown);
  gtk_widget_set_can_target(header_revealer_, shown);
  gtk_widget_set_can_target(controls_revealer_, shown);
  leave_room_for_subtitles();
}

void PlayWindow::leave_room_for_subtitles() {
  constexpr int kToast = 96 + 60;  // the margin below it (style.css), and itself
  const int controls = gtk_revealer_get_reveal_child(GTK_REVEALER(controls_revealer_)) != FALSE
                           ? gtk_widget_get_allocated_height(controls_revealer_)
                           : 0;
  video_.leave_room_below(std::max(controls, toasts_shown_ > 0 ? kToast : 0));
}

void PlayWindow::be_small(bool small) {
  if (!can_be_small()) return;
  if (small) {
    gtk_window_unfullscreen(window());
    show_links(false);
    gtk_window_get_default_size(window(), &width_before_, &height_before_);
    gtk_window_set_default_size(window(), kSmallWidth, kLeastHeight);
  } else {
    gtk_window_set_default_size(window(), width_before_, height_before_);
  }
  stay_above(window(), small);
}

/// Deferred, because widgets cannot change while they are being laid out.
void PlayWindow::resized(int width) {
  fit_.once(0, [this, width] { controls_.fit(width); });
}

}  // namespace tributary::play
