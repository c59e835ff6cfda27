#include "player/window/pages.hh"

#include <adwaita.h>

#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

constexpr int kColumnWidth = 480;

GtkWidget* pill(const char* label, const char* action, bool suggested) {
  GtkWidget* button = gtk_button_new_with_label(label);
  gtk_widget_add_css_class(button, "pill");
  if (suggested) gtk_widget_add_css_class(button, "suggested-action");
  gtk_widget_set_halign(button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  return button;
}

GtkWidget* clamped(GtkWidget* child) {
  GtkWidget* clamp = adw_clamp_new();
  adw_clamp_set_maximum_size(ADW_CLAMP(clamp), kColumnWidth);
  adw_clamp_set_child(ADW_CLAMP(clamp), child);
  return clamp;
}

}  // namespace

StartPage::StartPage(std::function<void(const std::string&)> open)
    : page_{adw_status_page_new()},
      recent_title_{label_of(_("Played last"), {"heading"})},
      recent_{_("Played last"), [open = std::move(open)](const std::string& url, std::size_t) { open(url); }} {
  adw_status_page_set_icon_name(ADW_STATUS_PAGE(page_), TRIBUTARY_PLAY_ID);
  adw_status_page_set_title(ADW_STATUS_PAGE(page_), _("Tributary"));
  adw_status_page_set_description(ADW_STATUS_PAGE(page_),
                                  _("Watch a video over all your links at once. Drop an address here, or open one."));
  GtkWidget* buttons = row_of(12, {pill(_("Open an Address…"), "win.open-address", true)});
  gtk_widget_set_halign(buttons, GTK_ALIGN_CENTER);
  GtkWidget* recent = column_of(8, {recent_title_, recent_.widget()});
  adw_status_page_set_child(ADW_STATUS_PAGE(page_), clamped(column_of(30, {buttons, recent})));
  show({});
}

void StartPage::show(const std::vector<PlayedAddress>& latest) {
  constexpr std::size_t kMost = 5;
  recent_.show(latest, kMost);
  gtk_widget_set_visible(recent_title_, !latest.empty());
}

ProblemPage::ProblemPage()
    : page_{adw_status_page_new()},
      details_{gtk_expander_new(_("Details"))},
      detail_{label_of("", {"monospace", "caption"})},
      retry_{pill(_("Try Again"), "win.retry", true)} {
  adw_status_page_set_icon_name(ADW_STATUS_PAGE(page_), "dialog-error-symbolic");
  gtk_label_set_selectable(GTK_LABEL(detail_), TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(details_), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Details"), -1);
  GtkWidget* card = row_of(0, {detail_});
  set_margins(detail_, 12);
  gtk_widget_add_css_class(card, "card");
  gtk_widget_set_margin_top(card, 8);
  gtk_widget_set_hexpand(detail_, TRUE);
  gtk_expander_set_child(GTK_EXPANDER(details_), card);
  GtkWidget* buttons = row_of(12, {retry_, pill(_("Open Another Address…"), "win.open-address", false)});
  gtk_widget_set_halign(buttons, GTK_ALIGN_CENTER);
  adw_status_page_set_child(ADW_STATUS_PAGE(page_), clamped(column_of(30, {buttons, details_})));
}

void ProblemPage::show(const ProblemText& problem) {
  const auto escaped = [](const std::string& text) {
    return std::string{GlibString{g_markup_escape_text(text.c_str(), -1)}.get()};
  };
  adw_status_page_set_title(ADW_STATUS_PAGE(page_), escaped(problem.what).c_str());
  adw_status_page_set_description(ADW_STATUS_PAGE(page_), escaped(problem.advice).c_str());
  set_text(detail_, problem.detail);
  gtk_widget_set_visible(details_, !problem.detail.empty());
  gtk_expander_set_expanded(GTK_EXPANDER(details_), FALSE);
  gtk_widget_grab_focus(retry_);
}

}  // namespace tributary::play
