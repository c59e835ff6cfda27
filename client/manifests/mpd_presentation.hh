#pragma once

#include <string>

#include "dash/mpd.hh"
#include "manifests/manifest.hh"

namespace tributary {

/// The presentation of an MPD. Each set of pictures is a group of tracks, its qualities; of each set of
/// sound one representation is played. Of a live MPD (dynamic) the first set of pictures is played. Throws
/// ManifestError, dash::MpdError, BoxError, and what `fetch` throws.
Opened presentation_of_mpd(dash::Mpd mpd, const std::string& url, const FetchFiles& fetch,
                           const ManifestMoment& moment);

}  // namespace tributary
