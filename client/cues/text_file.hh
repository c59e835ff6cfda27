#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cues/cue.hh"

namespace tributary {

/// The cues of a file or segment.
struct TextFile {
  /// By which clock the cues count.
  enum class Clock {
    kDocument,   // as the file's maker counts
    kMedia,      // as samples of the title count
    kTransport,  // as kMedia, from `zero` on; it begins anew after kTransportWrap
  };
  std::vector<Cue> cues;
  Clock clock = Clock::kDocument;
  Duration zero{};
};

/// 2^33 ticks of 90 kHz.
inline constexpr Duration kTransportWrap{95'443'717'688'889};

/// Reads WebVTT, TTML, or fragmented MP4 with either of them; the bytes tell which. `init` as read_text_fragments() has
/// it. Throws TextError.
TextFile read_text_file(std::span<const std::byte> content, std::span<const std::byte> init = {});

/// The same of a file that somebody has beside a title: SubRip, too, which no manifest has.
TextFile read_users_text_file(std::span<const std::byte> content);

}  // namespace tributary
