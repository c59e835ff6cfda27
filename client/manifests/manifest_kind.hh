#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tributary {

enum class ManifestKind { kIndex, kMpd, kHls };

/// Tells manifests apart by their first bytes; names and types of files say little. Nothing: it is none.
std::optional<ManifestKind> manifest_kind(std::string_view first_bytes);

/// What a document that is no manifest seems to be, for people: "a web page", "an MP4 file".
std::string looks_like(std::string_view first_bytes);

}  // namespace tributary
