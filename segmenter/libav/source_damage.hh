#pragma once

#include <algorithm>
#include <cstdint>

#include "units/session_clock.hh"

namespace tributary::segmenter {

/// The damage of a source that could be passed over.
struct SourceDamage {
  std::uint64_t packets = 0;  // number that could not be decoded
  /// Number of places at which decoders concealed damage, roughly: several errors in one packet are one place.
  std::uint64_t concealed = 0;
  Duration first = Duration::max(), last = Duration::min();  // of the concealed places, from the first picture

  void conceal(Duration at) {
    ++concealed;
    first = std::min(first, at);
    last = std::max(last, at);
  }

  SourceDamage& operator+=(const SourceDamage& other) {
    packets += other.packets;
    concealed += other.concealed;
    first = std::min(first, other.first);
    last = std::max(last, other.last);
    return *this;
  }
};

}  // namespace tributary::segmenter
