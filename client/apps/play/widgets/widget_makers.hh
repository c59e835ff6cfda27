#pragma once

#include <gtk/gtk.h>

#include <initializer_list>
#include <string>

namespace tributary::play {

/// Widgets as this window has them. What is made is floating: whoever takes it in owns it.

GtkWidget* row_of(int spacing, std::initializer_list<GtkWidget*> children);
GtkWidget* column_of(int spacing, std::initializer_list<GtkWidget*> children);
/// Aligned left, wrapping, in the style classes.
GtkWidget* label_of(const char* text, std::initializer_list<const char*> classes = {});
/// An icon with a name for the pointer and for screen readers.
GtkWidget* icon_button(const char* icon, const char* name, const char* action = nullptr);
void set_name(GtkWidget* widget, const char* name);
bool is_menu_open(GtkWidget* menu_button);
void set_margins(GtkWidget* widget, int margin);
/// Only if it is another: a label that is set anew is laid out anew, and read aloud anew.
void set_text(GtkWidget* label, const std::string& text);

}  // namespace tributary::play
