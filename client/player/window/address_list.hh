#pragma once

#include <gtk/gtk.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "player/glib/g_handles.hh"
#include "player/memory/address_history.hh"

namespace tributary::play {

/// A list of addresses, to choose from.
class AddressList {
 public:
  using Chosen = std::function<void(const std::string& url, std::size_t number)>;

  /// `name`: for screen readers.
  AddressList(const std::string& name, Chosen chosen);

  GtkWidget* widget() const { return list_; }
  /// The first of them, `most` at the most. The one that plays has a mark.
  void show(const std::vector<PlayedAddress>& addresses, std::size_t most,
            std::optional<std::size_t> playing = std::nullopt);

 private:
  GtkWidget* list_;
  std::vector<std::string> urls_;
  Signals signals_;
};

}  // namespace tributary::play
