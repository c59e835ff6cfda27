#pragma once

#include "presentation/presentation.hh"
#include "segmenter/publication.hh"

namespace tributary::segmenter {

/// Publishes index.json for a complete presentation, dated now. The last step: with it, the presentation
/// exists.
void publish_index(const Publication& publication, Presentation presentation);

}  // namespace tributary::segmenter
