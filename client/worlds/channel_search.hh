#pragma once

#include <string>
#include <utility>
#include <vector>

#include "manifests/channel_choice.hh"
#include "worlds/found_presentation.hh"

namespace tributary {

/// It is a list of several channels, of which none was named.
class ChannelsFound : public UnreadableManifest {
 public:
  ChannelsFound(std::string where, const std::string& why, std::vector<ListedChannel> all)
      : UnreadableManifest{std::move(where), why}, channels{std::move(all)} {}
  std::vector<ListedChannel> channels;
};

/// Finds a manifest as find_document() does. In a list of channels, goes on to the channel that the address names, and in
/// three lists of lists at most. The guard of the list is that of the channel: a list of the internet leads to no address of
/// this machine. `search.url` becomes the address of the channel. Throws what find_document() throws, or ChannelsFound.
FoundManifest find_manifest(PresentationSearch& search);

}  // namespace tributary
