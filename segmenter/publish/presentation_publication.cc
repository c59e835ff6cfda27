#include "segmenter/publish/presentation_publication.hh"

#include <algorithm>
#include <chrono>

#include "presentation/json/json_index.hh"
#include "segmenter/publish/dash_manifest.hh"
#include "segmenter/publish/hls_playlist.hh"
#include "system/utc_now.hh"

namespace tributary::segmenter {
namespace {

void publish_hls(const Publication& publication, const Presentation& presentation) {
  for (const Track& track : presentation.tracks) {
    publication.publish(media_playlist_name(track), write_media_playlist(presentation, track));
  }
  if (presentation.sheets) publication.publish(image_playlist_name(), write_image_playlist(presentation));
  publication.publish(std::string{kMasterPlaylistName}, write_master_playlist(presentation));
}

}  // namespace

void publish_presentation(const Publication& publication, Presentation presentation, ManifestChoice manifests,
                          const std::optional<LiveRecord>& live) {
  const UtcTime updated = utc_now();
  presentation.generator = "tributary-segment " TRIBUTARY_VERSION;
  const bool has_picture = std::any_of(presentation.tracks.begin(), presentation.tracks.end(),
                                       [](const Track& track) { return track.kind == TrackKind::kVideo; });
  if (has_picture && manifests.hls) {
    publish_hls(publication, presentation);
    presentation.hls = kMasterPlaylistName;
  }
  if (has_picture && manifests.dash) {
    publication.publish(
        std::string{kDashManifestName},
        write_dash_manifest(presentation, updated, live ? std::span{live->earlier} : std::span<const Presentation>{}));
    presentation.dash = kDashManifestName;
  }
  publication.publish(
      std::string{kIndexName},
      live ? write_index(presentation, utc_text(live->created), utc_text(updated)) : write_index(presentation, "", ""));
}

}  // namespace tributary::segmenter
