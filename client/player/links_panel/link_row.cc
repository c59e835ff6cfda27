#include "player/links_panel/link_row.hh"

#include "player/links_panel/link_colours.hh"
#include "player/texts/link_texts.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "player/texts/trouble_texts.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

GtkWidget* use_menu() {
  const char* const choices[] = {_("Use it"), _("Only when needed"), _("Do not use it"), nullptr};  // as in LinkUse
  return gtk_drop_down_new_from_strings(choices);
}

void set_class(GtkWidget* widget, const char* name, bool on) {
  if (on) {
    gtk_widget_add_css_class(widget, name);
  } else {
    gtk_widget_remove_css_class(widget, name);
  }
}

}  // namespace

LinkRow::LinkRow(Choose choose)
    : choose_{std::move(choose)},
      row_{gtk_list_box_row_new()},
      icon_{gtk_image_new()},
      title_{label_of("", {"heading"})},
      activity_{label_of("", {"caption", "dim-label"})},
      rate_{label_of("", {"heading", "numeric"})},
      why_{label_of("", {"caption", "why"})},
      use_{use_menu()},
      details_{gtk_grid_new()},
      minute_{detail(0, _("Over the last minute"))},
      round_trip_{detail(1, _("Time for an answer (RTT)"))},
      connections_{detail(2, _("Connections"))},
      outstanding_{detail(3, _("Requested, not here yet"))},
      received_{detail(4, _("Brought so far"))},
      activity_detail_{label_of("", {"caption"})},
      share_{6} {
  gtk_widget_add_css_class(icon_, "link-icon");
  gtk_widget_set_valign(icon_, GTK_ALIGN_CENTER);
  gtk_label_set_wrap(GTK_LABEL(rate_), FALSE);
  gtk_widget_set_valign(rate_, GTK_ALIGN_START);
  gtk_widget_set_visible(why_, FALSE);
  gtk_widget_add_css_class(use_, "flat");
  gtk_widget_add_css_class(use_, "use-menu");
  gtk_widget_set_hexpand(use_, TRUE);
  gtk_widget_set_halign(use_, GTK_ALIGN_START);
  gtk_grid_set_row_spacing(GTK_GRID(details_), 4);
  gtk_grid_set_column_spacing(GTK_GRID(details_), 12);
  gtk_widget_set_margin_top(details_, 6);
  gtk_grid_attach(GTK_GRID(details_), activity_detail_, 0, 5, 2, 1);

  GtkWidget* names = column_of(2, {title_, activity_});
  gtk_widget_set_hexpand(names, TRUE);
  GtkWidget* head = row_of(12, {icon_, names, rate_});
  GtkWidget* more = gtk_toggle_button_new_with_label(_("Details"));
  gtk_widget_add_css_class(more, "flat");
  gtk_widget_add_css_class(more, "caption");
  GtkWidget* revealer = gtk_revealer_new();
  gtk_revealer_set_child(GTK_REVEALER(revealer), details_);
  g_object_bind_property(more, "active", revealer, "reveal-child", G_BINDING_DEFAULT);
  GtkWidget* column = column_of(8, {head, share_.widget(), why_, row_of(6, {use_, more}), revealer});
  set_margins(column, 12);
  gtk_widget_set_margin_bottom(column, 2);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row_), column);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row_), FALSE);
  gtk_widget_set_focusable(row_, FALSE);
  signals_.on_notify(use_, "selected", [this] { chosen(); });
}

GtkWidget* LinkRow::detail(int line, const char* name) {
  GtkWidget* value = label_of("–", {"caption", "numeric"});
  gtk_label_set_xalign(GTK_LABEL(value), 1);
  GtkWidget* caption = label_of(name, {"caption", "dim-label"});
  gtk_widget_set_hexpand(caption, TRUE);
  gtk_grid_attach(GTK_GRID(details_), caption, 0, line, 1, 1);
  gtk_grid_attach(GTK_GRID(details_), value, 1, line, 1, 1);
  return value;
}

void LinkRow::chosen() {
  if (showing_ || name_.empty()) return;
  constexpr int kPatience = 4;
  chosen_ = static_cast<LinkUse>(gtk_drop_down_get_selected(GTK_DROP_DOWN(use_)));
  patience_ = kPatience;
  choose_(name_, *chosen_);
}

void LinkRow::show_use(const LinkStatus& link) {
  if (chosen_ && *chosen_ != link.use && patience_-- > 0) return;  // the stream does not know the choice yet
  chosen_.reset();
  gtk_drop_down_set_selected(GTK_DROP_DOWN(use_), static_cast<guint>(link.use));
  const std::string name = say(_("Whether {} is used"), link.name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(use_), GTK_ACCESSIBLE_PROPERTY_LABEL, name.c_str(), -1);
}

void LinkRow::show(const LinkStatus& link) {
  showing_ = true;
  name_ = link.name;
  gtk_image_set_from_icon_name(GTK_IMAGE(icon_), kind_icon(link.kind));
  if (const std::string colour = link_colour_class(link.id); colour_ != colour) {
    if (!colour_.empty()) set_class(icon_, colour_.c_str(), false);
    set_class(icon_, colour.c_str(), true);
    colour_ = colour;
  }
  set_text(title_, link_title(link));
  set_text(activity_, activity_text(link));
  gtk_accessible_update_property(GTK_ACCESSIBLE(row_), GTK_ACCESSIBLE_PROPERTY_LABEL, link_title(link).c_str(), -1);
  set_class(activity_, "error", is_trouble(link.activity));
  set_class(activity_, "dim-label", !is_trouble(link.activity));
  const bool resting = link.rate_now.bits_per_second() < 1;
  set_text(rate_, resting ? std::string{"–"} : rate_text(link.rate_now));
  set_class(rate_, "dim-label", resting);
  share_.show({{link.id, link.share}});
  const std::string why = why_text(link);
  set_text(why_, why);
  gtk_widget_set_visible(why_, !why.empty());
  set_text(activity_detail_, link.why);
  set_class(row_, "unused", link.activity == LinkActivity::kOff || link.activity == LinkActivity::kDown);
  show_use(link);
  set_text(minute_, rate_text(link.rate_last_minute));
  set_text(round_trip_, link.round_trip ? say(_("{} ms"), number_text(to_seconds(*link.round_trip) * 1e3, 0)) : "–");
  set_text(connections_, number_text(link.connections, 0));
  set_text(outstanding_, link.outstanding == 0
                             ? std::string{"–"}
                             : fmt::format("{} ({})", link.outstanding, size_text(link.outstanding_bytes)));
  set_text(received_, size_text(link.received));
  showing_ = false;
}

}  // namespace tributary::play
