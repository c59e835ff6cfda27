#pragma once

#include <string>
#include <vector>

#include "presentation/json/frame_index.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// A presentation whose manifest is a local file.
struct LocalPresentation {
  Presentation told;                  // as the manifest tells it: sizes that it does not state are estimates
  Presentation exact;                 // with the sizes of the files beside it
  std::vector<std::string> left_out;  // what is not played, and why
};

/// Reads a manifest of any kind from a file, or from a folder that has one. Sizes that it does not state are those of the local files that it names.
/// Throws std::runtime_error, whose text names the file.
LocalPresentation read_local_presentation(const std::string& file_or_folder);
/// The frames of the tracks of such a presentation that have a file about them.
FramesOfTracks read_local_frames(const std::string& file_or_folder, const Presentation& presentation);

}  // namespace tributary
