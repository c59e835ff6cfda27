#pragma once

#include <algorithm>
#include <cstdint>

#include "units/session_clock.hh"

namespace tributary::segmenter {

/// What of a source was damaged, and could be passed over.
struct SourceDamage {
  std::uint64_t packets = 0;  // that could not be decoded
  /// Places where decoders made up what was missing, about: several errors in one packet are one place.
  std::uint64_t concealed = 0;
  Duration first = Duration::max(), last = Duration::min();  // of these, from the first picture

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
