#include "player/links_panel/stall_card.hh"

#include "player/texts/link_texts.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "player/texts/trouble_texts.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

/// Of a stream of low latency: how far behind live it is, and what it does about that.
std::string latency_text(const StreamStatus& status) {
  constexpr Duration kNear = std::chrono::milliseconds{500};
  if (status.latency_target <= Duration{} || !status.behind_live) return {};
  const std::string behind = span_text(*status.behind_live);
  if (*status.behind_live <= status.latency_target + kNear) return say(_("{} behind live"), behind);
  return say(_("{} behind live; it plays a little faster until it is {}"), behind, span_text(status.latency_target));
}

std::string count_text(const StreamStatus& status) {
  std::string text = latency_text(status);
  if (status.stalls > 1) {
    if (!text.empty()) text += " · ";
    text += say(ngettext("{} stall so far", "{} stalls so far", status.stalls), status.stalls);
  }
  if (status.skipped > 0) {
    if (!text.empty()) text += " · ";
    text += say(ngettext("{} segment skipped to stay live", "{} segments skipped to stay live", status.skipped),
                status.skipped);
  }
  return text;
}

}  // namespace

StallCard::StallCard()
    : icon_{gtk_image_new()},
      title_{label_of("", {"heading"})},
      when_{label_of("", {"caption", "dim-label"})},
      why_{label_of("", {"body"})},
      count_{label_of("", {"caption", "dim-label"})},
      details_{gtk_expander_new(_("Details"))},
      detail_{label_of("", {"caption"})} {
  gtk_widget_set_valign(icon_, GTK_ALIGN_CENTER);
  gtk_label_set_selectable(GTK_LABEL(why_), TRUE);
  GtkWidget* head = row_of(12, {icon_, column_of(2, {title_, when_})});
  gtk_label_set_selectable(GTK_LABEL(detail_), TRUE);
  gtk_expander_set_child(GTK_EXPANDER(details_), detail_);
  set_name(details_, _("Details of the stop"));
  GtkWidget* column = column_of(8, {head, why_, count_, details_});
  set_margins(column, 12);
  gtk_widget_set_hexpand(column, TRUE);
  card_ = row_of(0, {column});
  gtk_widget_add_css_class(card_, "card");
}

void StallCard::show(const StreamStatus& status, const std::vector<std::string>& qualities) {
  const auto& stall = status.last_stall;
  gtk_image_set_from_icon_name(GTK_IMAGE(icon_), stall ? "dialog-warning-symbolic" : "emblem-ok-symbolic");
  gtk_widget_set_visible(when_, stall.has_value());
  gtk_widget_set_visible(why_, stall.has_value());
  gtk_widget_set_visible(details_, stall && !stall->detail.empty());
  const std::string count = count_text(status);
  gtk_widget_set_visible(count_, !count.empty());
  set_text(count_, count);
  if (!stall) {
    set_text(title_, _("It has not stopped so far"));
    return;
  }
  set_text(title_, stall->over ? _("Why it last stopped") : _("Why it has stopped"));
  set_text(when_, stall_time_text(*stall, status.now));
  set_text(why_, stall_text(status, qualities));
  set_text(detail_, stall->detail);
}

}  // namespace tributary::play
