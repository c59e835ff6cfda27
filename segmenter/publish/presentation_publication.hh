#pragma once

#include <optional>
#include <vector>

#include "presentation/presentation.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {

/// The manifests beside the index, for players that do not read the index.
struct ManifestChoice {
  bool hls = true, dash = true;
};

struct LiveRecord {
  UtcTime created;
  std::vector<Presentation> earlier;  // stretches before the last interruption, for the MPD; the oldest first
};

/// Publishes the files that lead to the segments of a presentation: playlists of tracks and thumbnails, then master
/// playlist and manifest, then index.json. That is the last step: with the index, the presentation exists. A
/// presentation without a picture has only an index.
///
/// `live`: only for a live presentation, which states when it was made and changed. Others do not, so that the same
/// input gives the same bytes.
void publish_presentation(const Publication& publication, Presentation presentation, ManifestChoice manifests,
                          const std::optional<LiveRecord>& live = {});

/// Publishes what changes when the tracks of a live presentation get parts: playlists of tracks, then index.json.
/// `created`: time at which the presentation was made.
void publish_parts(const Publication& publication, Presentation presentation, ManifestChoice manifests,
                   UtcTime created);

}  // namespace tributary::segmenter
