#pragma once

#include <cstddef>
#include <cstdint>

namespace tributary {

/// Bytes in front of the fields of a full box (ISO/IEC 14496-12 section 4.2.2).
inline constexpr std::size_t kVersionAndFlags = 4;

/// Flags of tfhd, which tell the fields that are present (section 8.8.7.1).
namespace fragment_field {
inline constexpr std::uint32_t kBaseDataOffset = 0x1, kDescriptionIndex = 0x2, kDefaultDuration = 0x8,
                               kDefaultSize = 0x10, kDefaultFlags = 0x20;
}

/// Flags of trun (section 8.8.8.1).
namespace run_field {
inline constexpr std::uint32_t kDataOffset = 0x1, kFirstFlags = 0x4, kDuration = 0x100, kSize = 0x200, kFlags = 0x400,
                               kCompositionOffset = 0x800;
}

}  // namespace tributary
