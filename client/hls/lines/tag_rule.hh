#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "hls/lines/playlist_lines.hh"

namespace tributary::hls {

/// What a tag means in one kind of playlist. `Reading` is what is known so far of the playlist.
template <typename Reading>
struct TagRule {
  std::string_view tag;
  void (*read)(Reading&, const PlaylistLine&);
};

/// The rule of a tag. Null if the tag is passed over.
template <typename Reading>
const TagRule<Reading>* find_rule(std::span<const TagRule<Reading>> rules, std::string_view tag) {
  const auto found = std::ranges::find(rules, tag, &TagRule<Reading>::tag);
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace tributary::hls
