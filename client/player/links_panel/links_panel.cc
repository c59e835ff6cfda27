#include "player/links_panel/links_panel.hh"

#include <adwaita.h>

#include <algorithm>

#include "player/texts/link_texts.hh"
#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

GtkWidget* section(const char* title, GtkWidget* content) {
  return column_of(8, {label_of(title, {"heading"}), content});
}

std::vector<ShareBar::Share> shares_of(const std::vector<LinkStatus>& links) {
  std::vector<ShareBar::Share> shares;
  for (const LinkStatus& link : links) shares.push_back({link.id, link.share});
  return shares;
}

}  // namespace

LinksPanel::LinksPanel(LinkRow::Choose choose)
    : choose_{std::move(choose)},
      summary_{label_of("", {"title-3"})},
      supply_{label_of("", {"dim-label"})},
      list_{gtk_list_box_new()},
      bill_{label_of("", {"body", "numeric"})},
      bill_section_{section(_("What links that cost something brought"), bill_)},
      pictures_{label_of("", {"caption", "dim-label", "numeric"})},
      shares_{12} {
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list_), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list_, "boxed-list");
  gtk_accessible_update_property(GTK_ACCESSIBLE(list_), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Links"), -1);
  GtkWidget* chart_card = row_of(0, {chart_.widget()});
  set_margins(chart_.widget(), 12);
  gtk_widget_add_css_class(chart_card, "card");
  GtkWidget* column = column_of(18, {column_of(8, {summary_, shares_.widget(), supply_}), list_, bill_section_,
                                     stall_.widget(), section(_("The last minutes"), chart_card), pictures_});
  set_margins(column, 12);
  GtkWidget* scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), column);
  gtk_widget_set_vexpand(scrolled, TRUE);
  panel_ = scrolled;
  show({}, {});
}

void LinksPanel::show(const StreamStatus& status, const std::vector<std::string>& qualities) {
  set_text(summary_, summary_text(status));
  set_text(supply_, supply_text(status));
  shares_.show(shares_of(status.links));
  show_rows(status.links);
  gtk_widget_set_visible(list_, !status.links.empty());
  show_bill(status.links);
  stall_.show(status, qualities);
  chart_.show(chart_model(status), qualities);
}

void LinksPanel::show_bill(const std::vector<LinkStatus>& links) {
  std::string text;
  for (const LinkStatus& link : links) {
    const std::string line = cost_text(link);
    if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
  }
  gtk_widget_set_visible(bill_section_, !text.empty());
  set_text(bill_, text);
}

void LinksPanel::show_pictures(std::uint64_t shown, std::uint64_t late) {
  set_text(pictures_, say(_("Frames: {} shown, {} too late"), shown, late));
}

void LinksPanel::show_rows(const std::vector<LinkStatus>& links) {
  std::erase_if(rows_, [&](const auto& entry) {
    const bool gone = std::ranges::find(links, entry.first, &LinkStatus::name) == links.end();
    if (gone) gtk_list_box_remove(GTK_LIST_BOX(list_), entry.second->widget());
    return gone;
  });
  int place = 0;
  for (const LinkStatus& link : links) {
    auto& row = rows_[link.name];
    if (!row) {
      row = std::make_unique<LinkRow>(choose_);
      gtk_list_box_insert(GTK_LIST_BOX(list_), row->widget(), place);
    }
    row->show(link);
    ++place;
  }
}

}  // namespace tributary::play
