#pragma once

#include "worlds/found_presentation.hh"

namespace tributary {

/// Finds a manifest as find_document() does. In a list of channels, goes on to the channel that the address names, and in
/// three lists of lists at most. The guard of the list is that of the channel: a list of the internet leads to no address of
/// this machine. `search.url` becomes the address of the channel. Throws what find_document() throws.
FoundManifest find_manifest(PresentationSearch& search);

}  // namespace tributary
