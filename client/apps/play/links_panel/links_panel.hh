#pragma once

#include <gtk/gtk.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/play/links_panel/chart.hh"
#include "apps/play/links_panel/link_row.hh"
#include "apps/play/links_panel/share_bar.hh"
#include "apps/play/links_panel/stall_card.hh"
#include "playback/stream_status.hh"

namespace tributary::play {

/// What the links do, and what comes of it: a sentence, a row for each link, why playout last stopped, and the last
/// minutes as a chart. Shows a status, and knows no stream.
class LinksPanel {
 public:
  explicit LinksPanel(LinkRow::Choose choose);

  GtkWidget* widget() const { return panel_; }
  /// `qualities`: names by QualityIndex, lowest first.
  void show(const StreamStatus& status, const std::vector<std::string>& qualities);
  /// How many pictures were shown, and how many came too late for that.
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
