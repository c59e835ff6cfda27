#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tributary::segmenter {

/// The bytes of a synthetic segment from an offset on. They look random, and depend only on quality, segment and
/// offset, so that a byte at a wrong place is noticed.
void fill_synthetic(std::span<std::byte> bytes, std::uint32_t quality, std::uint32_t segment, std::uint64_t offset);

}  // namespace tributary::segmenter
