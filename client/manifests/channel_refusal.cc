#include "manifests/channel_refusal.hh"

#include <fmt/format.h>

#include <algorithm>

#include "hls/channel_list.hh"
#include "manifests/listed_track.hh"
#include "manifests/manifest.hh"
#include "units/redacted_url.hh"

namespace tributary {
namespace {

constexpr std::size_t kShown = 20, kLongestName = 100;  // channels, bytes

std::string address_of(const std::string& list, const std::string& uri) {
  try {
    return absolute_url(list, uri);
  } catch (const ManifestError&) {
    return uri;
  }
}

}  // namespace

void refuse_channels(const std::string& text, const std::string& url) {
  const auto channels = hls::read_channels(text);
  if (!channels) return;
  std::string what =
      channels->size() == 1
          ? "this is a list of 1 channel, which is opened by its own address:"
          : fmt::format("this is a list of {} channels, each of which is opened by its own address:", channels->size());
  for (std::size_t i = 0; i < std::min(channels->size(), kShown); ++i) {
    const hls::Channel& channel = (*channels)[i];
    const bool named = !channel.name.empty() && channel.name.size() <= kLongestName;
    what += fmt::format("\n  {} {}{}{}", i + 1, named ? channel.name : "", named ? ": " : "",
                        redacted(address_of(url, channel.uri)));
  }
  if (channels->size() > kShown) what += fmt::format("\n  and {} more", channels->size() - kShown);
  throw ManifestError{what};
}

}  // namespace tributary
