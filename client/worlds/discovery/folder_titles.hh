#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tributary {

/// The names of manifests in a folder, in the order in which they are asked for: what tells most comes first.
inline constexpr std::array<std::string_view, 3> kManifestNames{"index.json", "manifest.mpd", "master.m3u8"};

/// The addresses of the manifests that the folder at `url` may have; none if its last part looks like a file's, with a
/// dot in it. A query stays behind each.
std::vector<std::string> manifests_in(std::string_view url);

}  // namespace tributary
