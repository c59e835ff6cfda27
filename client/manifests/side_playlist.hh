#pragma once

#include <string>

#include "hls/playlist_variables.hh"
#include "presentation/side_files.hh"

namespace tributary {

/// The texts or thumbnails that a media playlist of HLS lists. `url`: where it was found. Times within the files count
/// as the picture's do. Throws ManifestError: also for one that goes on, or whose files are encrypted.
SideFiles files_of_side_playlist(const std::string& playlist, const std::string& url,
                                 const hls::VariableValues& variables);

}  // namespace tributary
