#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

GtkWidget* box_of(GtkOrientation orientation, int spacing, std::initializer_list<GtkWidget*> children) {
  GtkWidget* box = gtk_box_new(orientation, spacing);
  for (GtkWidget* child : children) gtk_box_append(GTK_BOX(box), child);
  return box;
}

}  // namespace

GtkWidget* row_of(int spacing, std::initializer_list<GtkWidget*> children) {
  return box_of(GTK_ORIENTATION_HORIZONTAL, spacing, children);
}

GtkWidget* column_of(int spacing, std::initializer_list<GtkWidget*> children) {
  return box_of(GTK_ORIENTATION_VERTICAL, spacing, children);
}

GtkWidget* label_of(const char* text, std::initializer_list<const char*> classes) {
  GtkWidget* label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  for (const char* name : classes) gtk_widget_add_css_class(label, name);
  return label;
}

GtkWidget* icon_button(const char* icon, const char* name, const char* action) {
  GtkWidget* button = gtk_button_new_from_icon_name(icon);
  set_name(button, name);
  gtk_widget_set_focus_on_click(button, FALSE);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  if (action != nullptr) gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(button), action);
  return button;
}

void set_name(GtkWidget* widget, const char* name) {
  if (g_strcmp0(gtk_widget_get_tooltip_text(widget), name) == 0) return;
  gtk_widget_set_tooltip_text(widget, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

bool is_menu_open(GtkWidget* menu_button) {
  GtkPopover* popover = gtk_menu_button_get_popover(GTK_MENU_BUTTON(menu_button));
  return popover != nullptr && gtk_widget_get_visible(GTK_WIDGET(popover));
}

void set_margins(GtkWidget* widget, int margin) {
  gtk_widget_set_margin_top(widget, margin);
  gtk_widget_set_margin_bottom(widget, margin);
  gtk_widget_set_margin_start(widget, margin);
  gtk_widget_set_margin_end(widget, margin);
}

void set_text(GtkWidget* label, const std::string& text) {
  if (text != gtk_label_get_text(GTK_LABEL(label))) gtk_label_set_text(GTK_LABEL(label), text.c_str());
}

}  // namespace tributary::play
