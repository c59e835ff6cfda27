#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hls/lines/attribute_list.hh"
#include "hls/lines/playlist_start.hh"
#include "hls/lines/playlist_variables.hh"

namespace tributary::hls {

// What both kinds of playlists have. All of these throw PlaylistError.

/// EXT-X-START. Nothing if its offset cannot be read: playout then begins where it would without the tag.
std::optional<PlaylistStart> playlist_start(const PlaylistLine& line, VariableScope& variables);

/// The address that the line is, variables replaced. It has no control characters.
std::string address(const PlaylistLine& line, VariableScope& variables);
/// The same for an attribute, which must be there.
std::string required_address(const AttributeList& attributes, const PlaylistLine& line, std::string_view name = "URI");

}  // namespace tributary::hls
