#pragma once

#include <gtk/gtk.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "playback/status/stream_status.hh"
#include "player/links_panel/chart.hh"
#include "player/links_panel/link_row.hh"
#include "player/links_panel/share_bar.hh"
#include "player/links_panel/stall_card.hh"

namespace tributary::play {

/// The panel about the links: a sentence, a row for each link, the reason of the last stall, and a chart of the last
/// minutes. Shows a status, and knows no stream.
class LinksPanel {
 public:
  explicit LinksPanel(LinkRow::Choose choose);

  GtkWidget* widget() const { return panel_; }
  /// `qualities`: names by QualityIndex, lowest first.
  void show(const StreamStatus& status, const std::vector<std::string>& qualities);
  /// Numbers of pictures that were shown, and that came too late.
  void show_pictures(std::uint64_t shown, std::uint64_t late);

 private:
  void show_rows(const std::vector<LinkStatus>& links);
  void show_bill(const std::vector<LinkStatus>& links);

  LinkRow::Choose choose_;
  GtkWidget *panel_, *summary_, *supply_, *list_, *bill_, *bill_section_, *pictures_;
  ShareBar shares_;
  std::map<std::string, std::unique_ptr<LinkRow>> rows_;  // by the names of links
  StallCard stall_;
  Chart chart_;
};

}  // namespace tributary::play
