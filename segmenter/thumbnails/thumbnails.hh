#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "presentation/presentation.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {

/// Publishes small pictures of a title, in sheets, for the seek bars of players. They are the first pictures of every
/// n-th segment, as long as n segments last, and are shown upright and in the usual range of brightness. The segments of
/// `tracks` must be in their places, and last equally long but for the last. Nothing if there is no picture.
///
/// Throws Failure, also (interrupted) once the flag is set.
std::optional<ThumbnailSheets> publish_thumbnails(const Publication& publication, const std::vector<Track>& tracks,
                                                  const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
