#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "manifests/from_hls/side_list.hh"
#include "manifests/live/clock_offset.hh"
#include "manifests/live/live_manifest.hh"
#include "manifests/live/title_growth.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// A live title: its manifest, how much of it has been told, and the clock of its origin.
class LiveTitle {
 public:
  LiveTitle(std::unique_ptr<LiveManifest> manifest, ClockOffset origin, bool clock_is_known);

  /// The title at its beginning, to be called once: all tracks, with the segments that are there. Throws ManifestError,
  /// also if there is none yet.
  Presentation begin(UtcTime now);

  struct News {
    std::vector<GrownSegment> added;
    Duration window_begin{};  // on the title's timeline
    bool complete = false;
    std::optional<UtcTime> next;  // as Listing has it
  };
  /// What has been added since the last call. Texts and thumbnails get their files on the way (SideFiles::grows). Throws
  /// ManifestError if the title cannot be played on.
  News news(UtcTime now);

  LiveManifest& manifest() { return *manifest_; }
  const ClockOffset& origin_clock() const { return origin_; }
  /// A service of time has told the origin's clock, and dates of answers say nothing better.
  bool clock_is_known() const { return clock_is_known_; }

 private:
  Duration needed_after() const;
  void take_side_files(const Listing& listing);

  std::unique_ptr<LiveManifest> manifest_;
  ClockOffset origin_;
  bool clock_is_known_;
  std::optional<TitleGrowth> growth_;
  std::vector<std::shared_ptr<SideList>> texts_;
  std::shared_ptr<SideList> thumbnails_;  // null: there are none
};

}  // namespace tributary
