#pragma once

#include <gtk/gtk.h>

#include "player/glib/g_handles.hh"
#include "player/texts/problem_texts.hh"
#include "player/window/address_list.hh"

namespace tributary::play {

/// The page before the first title: how to open one, and the latest ones.
class StartPage {
 public:
  explicit StartPage(std::function<void(const std::string& url)> open);

  GtkWidget* widget() const { return page_; }
  void show(const std::vector<PlayedAddress>& latest);

 private:
  GtkWidget *page_, *recent_title_;
  AddressList recent_;
};

/// The page that tells why a title does not play, with advice.
class ProblemPage {
 public:
  ProblemPage();

  GtkWidget* widget() const { return page_; }
  void show(const ProblemText& problem);

 private:
  GtkWidget *page_, *details_, *detail_, *retry_;
};

}  // namespace tributary::play
