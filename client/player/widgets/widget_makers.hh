#pragma once

#include <gtk/gtk.h>

#include <initializer_list>
#include <string>

namespace tributary::play {

/// Widgets in the style of this window. They are floating references: the container that takes a widget in owns it.

GtkWidget* row_of(int spacing, std::initializer_list<GtkWidget*> children);
GtkWidget* column_of(int spacing, std::initializer_list<GtkWidget*> children);
/// A wrapping label, aligned left, with these style classes.
GtkWidget* label_of(const char* text, std::initializer_list<const char*> classes = {});
/// A button with an icon; the name is for tooltips and screen readers.
GtkWidget* icon_button(const char* icon, const char* name, const char* action = nullptr);
void set_name(GtkWidget* widget, const char* name);
bool is_menu_open(GtkWidget* menu_button);
void set_margins(GtkWidget* widget, int margin);
/// Sets the text only if it differs: setting lays the label out again, and screen readers read it again.
void set_text(GtkWidget* label, const std::string& text);

}  // namespace tributary::play
