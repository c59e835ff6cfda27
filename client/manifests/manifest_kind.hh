#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tributary {

enum class ManifestKind { kIndex, kMpd, kHls };

/// Tells manifests apart by their first bytes; names and types of files say little. Nothing: it is none.
std::optional<ManifestKind> manifest_kind(std::string_view first_bytes);

/// Whether a document that begins so may be a manifest. As long as nothing speaks against it, that is so; but no manifest
/// has 64 kB before the first word of it.
bool may_be_manifest(std::string_view first_bytes);

/// What a document that is no manifest seems to be, for people: "a web page", "an MP4 file".
std::string looks_like(std::string_view first_bytes);

/// Whether a document that is no manifest seems to be sound or picture.
bool is_media(std::string_view first_bytes, std::string_view content_type);

/// Why a document that is no manifest is refused, and which program is for it.
std::string why_no_manifest(std::string_view first_bytes, std::string_view content_type = {});

}  // namespace tributary
