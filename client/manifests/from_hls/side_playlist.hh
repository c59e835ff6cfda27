#pragma once

#include <optional>
#include <string>

#include "hls/lines/playlist_variables.hh"
#include "manifests/from_hls/hls_keys.hh"
#include "manifests/from_hls/side_list.hh"
#include "manifests/live/hls_rendition.hh"
#include "manifests/manifest_files.hh"
#include "presentation/side_files.hh"

namespace tributary {

/// A media playlist of texts or thumbnails, from its first version to its last. On demand there is one version, and times
/// count from its beginning; of a live title, the playlist is put beside the picture's. Times within the files count as
/// the picture's do.
class SidePlaylist {
 public:
  /// `side`: names the playlist.
  explicit SidePlaylist(const SideFiles& side) : variables_{side.variables}, timeline_{side.timeline} {}

  /// Adds the files of a version that was found at `url`, and fetches its keys. Of a live title, files that left the
  /// playlist long ago are dropped. Throws ManifestError, also for an on-demand playlist that goes on; and what `fetch`
  /// throws.
  void take(const std::string& text, const std::string& url, const FetchFiles& fetch, SideList& into);
  /// How long after this version the next one is to be fetched. Nothing: there is none.
  std::optional<Duration> again_after() const { return again_after_; }

 private:
  void take_live(const hls::MediaPlaylist& playlist, const std::string& url, SideList& into);

  hls::VariableValues variables_;
  std::shared_ptr<const HlsTimeline> timeline_;  // null: on demand
  HlsKeys keys_;
  std::optional<HlsRendition> known_;  // of a live title
  std::optional<Duration> again_after_;
};

}  // namespace tributary
