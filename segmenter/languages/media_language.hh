#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tributary::segmenter {

/// Puts a language, a language_tag(), into the init segment of one track. The media header gets the code of ISO
/// 639-2/T. If the tag says more than the code, an extended language box follows (ISO/IEC 14496-12 sections 8.4.2 and
/// 8.4.6).
std::vector<std::byte> with_language(std::span<const std::byte> init, const std::string& tag);

}  // namespace tributary::segmenter
