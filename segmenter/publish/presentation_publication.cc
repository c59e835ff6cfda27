#include "segmenter/publish/presentation_publication.hh"

#include <algorithm>
#include <chrono>

#include "presentation/json/json_index.hh"
#include "segmenter/publish/dash_manifest.hh"
#include "segmenter/publish/dash_parts.hh"
#include "segmenter/publish/hls_playlist.hh"
#include "system/utc_now.hh"

namespace tributary::segmenter {
namespace {

void publish_media_playlists(const Publication& publication, const Presentation& presentation) {
  for (const Track& track : presentation.tracks) {
    publication.publish(media_playlist_name(track), write_media_playlist(presentation, track));
  }
}

void publish_dash(const Publication& publication, const Presentation& presentation, UtcTime updated,
                  const std::optional<LiveRecord>& live) {
  const auto earlier = live ? std::span{live->earlier} : std::span<const Presentation>{};
  if (has_parts(presentation)) {
    publication.publish(std::string{kDashPartsName}, write_dash_manifest_with_parts(presentation, updated, earlier));
  } else if (live) {
    // Of an earlier run, or of this one, which is complete: players load it once more.
    if (std::filesystem::exists(publication.path(std::string{kDashPartsName})))
      publication.publish(std::string{kDashPartsName}, write_dash_manifest(presentation, updated, earlier));
  }
  publication.publish(std::string{kDashManifestName}, write_dash_manifest(presentation, updated, earlier));
}

/// States the generator, and the manifests that there are.
void complete_facts(Presentation& presentation, ManifestChoice manifests) {
  presentation.generator = "tributary-segment " TRIBUTARY_VERSION;
  const bool has_picture = std::any_of(presentation.tracks.begin(), presentation.tracks.end(),
                                       [](const Track& track) { return track.kind == TrackKind::kVideo; });
  const auto name = [&](bool chosen, std::string_view file) {
    return has_picture && chosen ? std::optional<std::string>{file} : std::nullopt;
  };
  presentation.hls = name(manifests.hls, kMasterPlaylistName);
  presentation.dash = name(manifests.dash, kDashManifestName);
}

}  // namespace

void publish_presentation(const Publication& publication, Presentation presentation, ManifestChoice manifests,
                          const std::optional<LiveRecord>& live) {
  const UtcTime updated = utc_now();
  complete_facts(presentation, manifests);
  if (presentation.hls) {
    publish_media_playlists(publication, presentation);
    if (presentation.sheets) publication.publish(image_playlist_name(), write_image_playlist(presentation));
    publication.publish(std::string{kMasterPlaylistName}, write_master_playlist(presentation));
  }
  if (presentation.dash) publish_dash(publication, presentation, updated, live);
  publication.publish(
      std::string{kIndexName},
      live ? write_index(presentation, utc_text(live->created), utc_text(updated)) : write_index(presentation, "", ""));
}

void publish_parts(const Publication& publication, Presentation presentation, ManifestChoice manifests,
                   UtcTime created) {
  complete_facts(presentation, manifests);
  if (presentation.hls) publish_media_playlists(publication, presentation);
  publication.publish(std::string{kIndexName}, write_index(presentation, utc_text(created), utc_text(utc_now())));
}

}  // namespace tributary::segmenter
