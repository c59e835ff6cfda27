#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <string>
#include <vector>

#include "apps/play/glib/g_handles.hh"
#include "apps/play/memory/address_history.hh"

namespace tributary::play {

/// The list of the latest addresses, to choose from.
class RecentList {
 public:
  explicit RecentList(std::function<void(const std::string& url)> chosen);

  GtkWidget* widget() const { return list_; }
  void show(const std::vector<PlayedAddress>& latest, std::size_t most);

 private:
  GtkWidget* list_;
  std::vector<std::string> urls_;
  Signals signals_;
};

}  // namespace tributary::play
