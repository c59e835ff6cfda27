#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tributary::segmenter {

/// The init segment of one track with its language, a language_tag(): the media header has its code of ISO 639-2/T, and
/// where that does not say all, an extended language box follows (ISO/IEC 14496-12 sections 8.4.2 and 8.4.6).
std::vector<std::byte> with_language(std::span<const std::byte> init, const std::string& tag);

}  // namespace tributary::segmenter
