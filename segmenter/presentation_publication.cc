#include "segmenter/presentation_publication.hh"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>

#include "presentation/json_index.hh"
#include "segmenter/dash_manifest.hh"
#include "segmenter/hls_playlist.hh"

namespace tributary::segmenter {
namespace {

void publish_hls(const Publication& publication, const Presentation& presentation) {
  for (const Track& track : presentation.tracks) {
    publication.publish(media_playlist_name(track), write_media_playlist(presentation, track));
  }
  publication.publish(std::string{kMasterPlaylistName}, write_master_playlist(presentation));
}

}  // namespace

void publish_presentation(const Publication& publication, Presentation presentation,
                          ManifestChoice manifests) {
  presentation.generator = "tributary-segment " TRIBUTARY_VERSION;
  const bool has_picture = std::any_of(presentation.tracks.begin(), presentation.tracks.end(),
                                       [](const Track& track) { return track.kind == TrackKind::kVideo; });
  if (has_picture && manifests.hls) {
    publish_hls(publication, presentation);
    presentation.hls = kMasterPlaylistName;
  }
  if (has_picture && manifests.dash) {
    publication.publish(std::string{kDashManifestName}, write_dash_manifest(presentation));
    presentation.dash = kDashManifestName;
  }
  const std::string now = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  publication.publish(std::string{kIndexName}, write_index(presentation, now, now));
}

}  // namespace tributary::segmenter
