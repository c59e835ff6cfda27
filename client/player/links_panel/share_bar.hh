#pragma once

#include <gtk/gtk.h>

#include <vector>

#include "player/glib/g_handles.hh"
#include "units/identifiers.hh"

namespace tributary::play {

/// A bar in which each link colours its share. Screen readers skip it, because the figures stand beside it.
class ShareBar {
 public:
  struct Share {
    LinkId link{};
    double fraction = 0;  // of the whole bar
  };

  explicit ShareBar(int height);

  GtkWidget* widget() const { return area_; }
  void show(std::vector<Share> shares);

 private:
  void draw(cairo_t* cairo, int width, int height) const;

  GtkWidget* area_;
  std::vector<Share> shares_;
  Signals signals_;
};

}  // namespace tributary::play
