#include "player/window/metered_question.hh"

#include "player/texts/link_texts.hh"
#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {

MeteredQuestion::MeteredQuestion(Answer answer)
    : answer_{std::move(answer)},
      revealer_{gtk_revealer_new()},
      icon_{gtk_image_new()},
      what_{label_of("", {"heading"})},
      until_{label_of(_("Until you decide, it is used only when needed."), {"caption"})},
      remember_{gtk_check_button_new_with_label(_("Remember this for the network"))} {
  constexpr int kBelowTheHeader = 52;
  GtkWidget* buttons = row_of(6, {button(_("Only when needed"), LinkUse::kWhenNeeded),
                                  button(_("Use it"), LinkUse::kUse), button(_("Do not use it"), LinkUse::kDoNotUse)});
  gtk_check_button_set_active(GTK_CHECK_BUTTON(remember_), TRUE);
  gtk_widget_set_valign(icon_, GTK_ALIGN_CENTER);
  GtkWidget* card = column_of(8, {row_of(12, {icon_, column_of(2, {what_, until_})}), buttons, remember_});
  gtk_widget_add_css_class(card, "question");
  gtk_revealer_set_child(GTK_REVEALER(revealer_), card);
  gtk_revealer_set_transition_type(GTK_REVEALER(revealer_), GTK_REVEALER_TRANSITION_TYPE_CROSSFADE);
  gtk_widget_set_valign(revealer_, GTK_ALIGN_START);
  gtk_widget_set_halign(revealer_, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top(revealer_, kBelowTheHeader);
  hide();
}

GtkWidget* MeteredQuestion::button(const char* text, LinkUse use) {
  GtkWidget* widget = gtk_button_new_with_label(text);
  gtk_widget_add_css_class(widget, "caption");  // small, so that three buttons fit into the narrowest window
  signals_.on<void(GtkButton*)>(widget, "clicked", [this, use](GtkButton*) {
    if (link_.empty()) return;
    const std::string link = link_;
    hide();
    answer_(link, use, gtk_check_button_get_active(GTK_CHECK_BUTTON(remember_)) != FALSE);
  });
  return widget;
}

void MeteredQuestion::ask(const LinkStatus& link) {
  if (link.name == link_) return;
  link_ = link.name;
  gtk_image_set_from_icon_name(GTK_IMAGE(icon_), kind_icon(link.kind));
  set_text(what_, cost_question_text(link));
  gtk_accessible_update_property(GTK_ACCESSIBLE(revealer_), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 cost_question_text(link).c_str(), -1);
  gtk_widget_set_can_target(revealer_, TRUE);
  gtk_widget_set_visible(revealer_, TRUE);
  gtk_revealer_set_reveal_child(GTK_REVEALER(revealer_), TRUE);
}

void MeteredQuestion::hide() {
  link_.clear();
  gtk_revealer_set_reveal_child(GTK_REVEALER(revealer_), FALSE);
  gtk_widget_set_visible(revealer_, FALSE);
}

}  // namespace tributary::play
