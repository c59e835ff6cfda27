#pragma once

#include "dash/mpd_error.hh"
#include "hls/lines/playlist_error.hh"
#include "manifests/manifest.hh"
#include "media/iso_box.hh"
#include "presentation/json/json_index.hh"

namespace tributary {

/// Calls `read`: what the readers of manifests throw becomes a ManifestError with the same text.
template <typename Read>
auto with_manifest_errors(Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const IndexError& error) {
    throw ManifestError{error.what()};
  } catch (const dash::MpdError& error) {
    throw ManifestError{error.what()};
  } catch (const hls::PlaylistError& error) {
    throw ManifestError{error.what()};
  } catch (const BoxError& error) {
    throw ManifestError{error.what()};
  }
}

}  // namespace tributary
