#pragma once

#include <string>

#include "proxy/titles/documents.hh"
#include "proxy/titles/title_manifests.hh"

namespace tributary::proxy {

/// Lead mode: fetches what is not known yet of the renditions beside the one that players are told of: playlists, init
/// segments and the beginnings of segments. Looks whether they can stand for it (interchangeable.hh). What cannot be had
/// stays in doubt. Waits, in a thread of `documents`.
void compare_qualities(TitleManifests& manifests, const std::string& manifest, const Documents& documents,
                       const LinkWishes& wishes);

}  // namespace tributary::proxy
