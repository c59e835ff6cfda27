#pragma once

#include <optional>
#include <string>

#include "gst/player/player.hh"

namespace tributary::testing {

/// Titles that no server has: what they consist of, and what their links do at each moment, is computed. Named by the
/// folder in the URL: http://made.up/two-links/index.json.
///   two-links, three-links   all is well
///   dead-link                one of two fails after a while, and playout stalls
///   stalled                  playout has stalled, and no link works
///   live                     a live presentation, some segments behind the edge
///   opening                  never opens
///   broken                   cannot be opened
///   silent                   plays, without its sound
///   thumbnails               has a sheet of two small pictures, at the address in TRIBUTARY_THUMBNAILS
class MadeUpTitle {
 public:
  explicit MadeUpTitle(const std::string& url);

  bool opens() const { return name_ != "opening" && name_ != "broken"; }
  bool stalls() const { return name_ == "stalled"; }
  bool live() const { return name_ == "live"; }
  std::optional<PlayerProblem> problem() const;
  StreamInfo info() const;
  /// `now`: since it was opened.
  StreamStatus status(Duration now, Duration position) const;
  Duration duration(Duration now) const;

 private:
  struct MadeUpLink {
    const char *name, *kind;
    double megabits;
    Duration round_trip;
  };
  std::vector<MadeUpLink> links() const;
  double rate(const MadeUpLink& link, std::size_t index, double seconds) const;
  LinkStatus link_status(std::size_t index, double seconds) const;
  bool dead(std::size_t index, double seconds) const;

  std::string name_;
};

}  // namespace tributary::testing
