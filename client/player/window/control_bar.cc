#include "player/window/control_bar.hh"

#include <algorithm>
#include <cmath>

#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"
#include "player/window/track_menus.hh"

namespace tributary::play {
namespace {

constexpr Duration kExactly = std::chrono::seconds{10};  // nearer to live, tenths of a second are shown

GtkWidget* menu_button(const char* name, const char* icon) {
  GtkWidget* button = gtk_menu_button_new();
  if (icon != nullptr) gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), icon);
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_UP);
  gtk_widget_set_focus_on_click(button, FALSE);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  set_name(button, name);
  return button;
}

GtkWidget* time_label() {
  GtkWidget* label = label_of("0:00", {"numeric"});
  gtk_label_set_wrap(GTK_LABEL(label), FALSE);
  return label;
}

/// Empty if the quality is not known.
std::string quality_text(const std::string& quality, bool fixed) {
  if (quality.empty()) return _("Automatic");
  return fixed ? quality : say(_("Auto · {}"), quality);
}

int natural_width(GtkWidget* widget) {
  int natural = 0;
  gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, nullptr, &natural, nullptr, nullptr);
  return natural;
}

const char* volume_icon(const PlaybackView& view) {
  if (view.muted || view.volume <= 0) return "audio-volume-muted-symbolic";
  if (view.volume < 0.34) return "audio-volume-low-symbolic";
  return view.volume < 0.67 ? "audio-volume-medium-symbolic" : "audio-volume-high-symbolic";
}

}  // namespace

ControlBar::ControlBar(Calls calls)
    : calls_{std::move(calls)},
      seek_bar_{calls_.seek},
      elapsed_{time_label()},
      total_{time_label()},
      play_{icon_button("media-playback-start-symbolic", _("Play"), "win.pause")},
      mute_{icon_button("audio-volume-high-symbolic", _("Mute"), "win.mute")},
      volume_{gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.05)},
      live_{gtk_button_new_with_label(_("LIVE"))},
      links_{gtk_toggle_button_new()},
      links_label_{gtk_label_new("")},
      quality_{menu_button(_("Quality"), nullptr)},
      quality_label_{gtk_label_new("")},
      tracks_{menu_button(_("Audio and subtitles"), "media-view-subtitles-symbolic")},
      speed_{menu_button(_("Speed"), nullptr)} {
  gtk_widget_add_css_class(play_, "play");
  gtk_widget_set_size_request(volume_, 96, -1);
  gtk_scale_set_draw_value(GTK_SCALE(volume_), FALSE);
  gtk_widget_set_focus_on_click(volume_, FALSE);
  set_name(volume_, _("Volume"));
  gtk_widget_add_css_class(live_, "live");
  gtk_widget_set_valign(live_, GTK_ALIGN_CENTER);
  gtk_widget_set_focus_on_click(live_, FALSE);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(live_), "win.live");
  gtk_button_set_child(GTK_BUTTON(links_),
                       row_of(6, {gtk_image_new_from_icon_name("tributary-links-symbolic"), links_label_}));
  gtk_widget_add_css_class(links_label_, "numeric");
  gtk_widget_set_valign(links_, GTK_ALIGN_CENTER);
  gtk_widget_set_focus_on_click(links_, FALSE);
  set_name(links_, _("What each link carries"));
  gtk_actionable_set_action_name(GTK_ACTIONABLE(links_), "win.links");
  gtk_menu_button_set_child(GTK_MENU_BUTTON(quality_),
                            row_of(4, {quality_label_, gtk_image_new_from_icon_name("pan-up-symbolic")}));
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(speed_), speed_menu().get());
  show_tracks({});

  GtkWidget* spacer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_hexpand(spacer, TRUE);
  GtkWidget* times = row_of(6, {elapsed_, seek_bar_.widget(), total_});
  GtkWidget* buttons = row_of(4, {play_, mute_, volume_, spacer, live_, links_, quality_, tracks_, speed_,
                                  icon_button("view-fullscreen-symbolic", _("Fullscreen"), "win.fullscreen")});
  bar_ = column_of(0, {times, buttons});
  gtk_widget_add_css_class(bar_, "controls");
  gtk_accessible_update_property(GTK_ACCESSIBLE(bar_), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Controls"), -1);
  signals_.on<void(GtkRange*)>(volume_, "value-changed", [this](GtkRange* range) {
    if (!showing_) calls_.volume(gtk_range_get_value(range));
  });
}

void ControlBar::show(const PlaybackView& view) {
  const char* name = view.wants_to_play ? _("Pause") : _("Play");
  gtk_button_set_icon_name(GTK_BUTTON(play_), view.state == PlayerState::kEnded ? "view-refresh-symbolic"
                                              : view.wants_to_play              ? "media-playback-pause-symbolic"
                                                                                : "media-playback-start-symbolic");
  set_name(play_, view.state == PlayerState::kEnded ? _("Play again") : name);
  seek_bar_.show(view);
  show_time(view);
  show_volume(view);
  gtk_widget_set_visible(live_, view.live);
  set_text(quality_label_, quality_text(view.quality, view.quality_fixed));
  gtk_menu_button_set_label(GTK_MENU_BUTTON(speed_), speed_text(view.speed).c_str());
}

void ControlBar::show_time(const PlaybackView& view) {
  const Duration position = seek_bar_.wanted().value_or(view.position);
  if (!view.live) {
    set_text(elapsed_, clock_text(position));
    set_text(total_, clock_text(view.end));
    return;
  }
  const Duration behind = seek_bar_.wanted() ? view.end - position : view.behind_live.value_or(view.end - position);
  set_text(elapsed_, "−" + clock_text(view.end - view.begin));
  const bool exactly = view.low_latency && !seek_bar_.wanted() && behind < kExactly;
  set_text(total_, "−" + (exactly ? span_text(behind) : clock_text(behind)));
  if (view.at_the_edge) {
    gtk_widget_add_css_class(live_, "at-the-edge");
  } else {
    gtk_widget_remove_css_class(live_, "at-the-edge");
  }
  set_name(live_, view.at_the_edge ? _("Live") : _("Go to the live edge"));
}

void ControlBar::show_volume(const PlaybackView& view) {
  showing_ = true;
  gtk_button_set_icon_name(GTK_BUTTON(mute_), volume_icon(view));
  set_name(mute_, view.muted ? _("Unmute") : _("Mute"));
  gtk_range_set_value(GTK_RANGE(volume_), view.muted ? 0 : view.volume);
  showing_ = false;
}

void ControlBar::show_tracks(const TrackNames& names) {
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(quality_), quality_menu(names).get());
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(tracks_), track_menu(names).get());
  make_room_for(names.qualities);
  gtk_widget_set_sensitive(quality_, !names.qualities.empty());
  gtk_widget_set_visible(tracks_, !names.texts.empty() || names.sounds.size() > 1);
}

void ControlBar::make_room_for(const std::vector<std::string>& qualities) {
  const std::string shown = gtk_label_get_text(GTK_LABEL(quality_label_));
  gtk_widget_set_size_request(quality_label_, -1, -1);
  int widest = 0;
  const auto measure = [&](const std::string& text) {
    gtk_label_set_text(GTK_LABEL(quality_label_), text.c_str());
    widest = std::max(widest, natural_width(quality_label_));
  };
  measure(quality_text("", false));
  for (const std::string& quality : qualities) {
    measure(quality_text(quality, false));
    measure(quality_text(quality, true));
  }
  gtk_label_set_text(GTK_LABEL(quality_label_), shown.c_str());
  gtk_widget_set_size_request(quality_label_, widest, -1);
}

void ControlBar::show_links(const std::string& text) { set_text(links_label_, text); }

bool ControlBar::has_open_menu() const {
  return is_menu_open(quality_) || is_menu_open(tracks_) || is_menu_open(speed_);
}

void ControlBar::fit(int width) {
  gtk_widget_set_visible(volume_, width >= 620);
  gtk_widget_set_visible(links_label_, width >= 520);
  gtk_widget_set_visible(speed_, width >= 460);
  gtk_widget_set_visible(quality_, width >= 400);
}

}  // namespace tributary::play
