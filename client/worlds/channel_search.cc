#include "worlds/channel_search.hh"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "manifests/channel_choice.hh"
#include "manifests/manifest_kind.hh"
#include "units/text/channel_address.hh"

namespace tributary {
namespace {

constexpr std::size_t kMostLists = 3;  // each in the one before

/// Throws ChannelsFound; if none of them can be opened, UnreadableManifest.
[[noreturn]] void throw_channels(const DatedDocument& document, const std::string& why) {
  std::vector<ListedChannel> channels;
  try {
    channels = listed_channels(document.text, document.url);
  } catch (const std::runtime_error&) {  // why not is known
  }
  if (channels.empty()) throw UnreadableManifest{document.url, why};
  throw ChannelsFound{document.url, why, std::move(channels)};
}

/// Nothing: it is no list of channels. Throws UnreadableManifest.
std::optional<std::string> channel_in(const DatedDocument& document, const ChannelWish& wish) {
  if (manifest_kind(document.text) != ManifestKind::kHls) return std::nullopt;
  try {
    return chosen_channel(document.text, document.url, wish);
  } catch (const std::runtime_error& error) {
    if (wish.channel) throw UnreadableManifest{document.url, error.what()};
    throw_channels(document, error.what());
  }
}

}  // namespace

FoundManifest find_manifest(PresentationSearch& search) {
  const ChannelAddress given = channel_address(search.url);
  search.url = given.url;
  for (std::size_t lists = 0;; ++lists) {
    FoundManifest found = find_document(search);
    ChannelWish wish{.within_list = lists > 0};
    if (lists < given.channels.size()) wish.channel = given.channels[lists];
    const auto channel = channel_in(found.document, wish);
    if (!channel && wish.channel)
      throw UnreadableManifest{
          found.document.url, fmt::format("this is no list of channels, so there is no channel \"{}\"", *wish.channel)};
    if (!channel) return found;
    if (lists == kMostLists)
      throw UnreadableManifest{found.document.url, "the lists of channels lead to one another without an end"};
    search.url = *channel;
  }
}

}  // namespace tributary
