#include "player/window/address_list.hh"

#include <adwaita.h>

#include <algorithm>

#include "player/memory/address.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "units/text/redacted_url.hh"

namespace tributary::play {
namespace {

std::string escaped(const std::string& text) { return GlibString{g_markup_escape_text(text.c_str(), -1)}.get(); }

GtkWidget* row_of_address(const PlayedAddress& address, bool plays) {
  GtkWidget* row = adw_action_row_new();
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  const std::string title = address.title.empty() ? address_title(address.url) : address.title;
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title.c_str());
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), escaped(redacted(address.url)).c_str());
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 1);
  adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 1);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
  if (address.position) {
    GtkWidget* left_at = gtk_label_new(clock_text(*address.position).c_str());
    gtk_widget_add_css_class(left_at, "dim-label");
    gtk_widget_add_css_class(left_at, "numeric");
    gtk_widget_set_tooltip_text(left_at, _("It was left here"));
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), left_at);
  }
  if (plays) {
    GtkWidget* mark = gtk_image_new_from_icon_name("media-playback-start-symbolic");
    gtk_widget_set_tooltip_text(mark, _("It plays now"));
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), mark);
  }
  return row;
}

}  // namespace

AddressList::AddressList(const std::string& name, Chosen chosen) : list_{gtk_list_box_new()} {
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list_), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list_, "boxed-list");
  gtk_accessible_update_property(GTK_ACCESSIBLE(list_), GTK_ACCESSIBLE_PROPERTY_LABEL, name.c_str(), -1);
  signals_.on<void(GtkListBox*, GtkListBoxRow*)>(
      list_, "row-activated", [this, chosen = std::move(chosen)](GtkListBox*, GtkListBoxRow* row) {
        const auto index = static_cast<std::size_t>(gtk_list_box_row_get_index(row));
        if (index < urls_.size()) chosen(std::string{urls_[index]}, index);
      });
}

void AddressList::show(const std::vector<PlayedAddress>& addresses, std::size_t most,
                       std::optional<std::size_t> playing) {
  while (GtkListBoxRow* row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list_), 0)) {
    gtk_list_box_remove(GTK_LIST_BOX(list_), GTK_WIDGET(row));
  }
  urls_.clear();
  for (const PlayedAddress& address : addresses) {
    if (urls_.size() == most) break;
    gtk_list_box_append(GTK_LIST_BOX(list_), row_of_address(address, playing == urls_.size()));
    urls_.push_back(address.url);
  }
  gtk_widget_set_visible(list_, !urls_.empty());
}

}  // namespace tributary::play
