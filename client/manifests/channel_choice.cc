#include "manifests/channel_choice.hh"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <vector>

#include "hls/channel_list.hh"
#include "hls/lines/playlist_values.hh"
#include "manifests/listed_track.hh"
#include "manifests/manifest.hh"
#include "units/text/plain_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

using hls::Channel;
using Channels = std::vector<Channel>;
using Places = std::vector<std::size_t>;  // in a list, from 0

constexpr std::size_t kShown = 20, kLongestName = 100;  // channels, bytes

std::string address_of(const std::string& list, const std::string& uri) {
  try {
    return absolute_url(list, uri);
  } catch (const ManifestError&) {
    return uri;
  }
}

/// "2 channels"
std::string count_of(const Channels& channels) {
  const bool files = hls::is_file(channels.front());
  return fmt::format("{} {}{}", channels.size(), files ? "file" : "channel", channels.size() == 1 ? "" : "s");
}

[[noreturn]] void refuse(std::string what, const Channels& channels, const Places& places, const std::string& url) {
  for (std::size_t i = 0; i < std::min(places.size(), kShown); ++i) {
    const Channel& channel = channels[places[i]];
    const bool named = !channel.name.empty() && channel.name.size() <= kLongestName;
    what += fmt::format("\n  {} {}{}{}", places[i] + 1, named ? channel.name : "", named ? ": " : "",
                        redacted(address_of(url, channel.uri)));
  }
  if (places.size() > kShown) what += fmt::format("\n  and {} more", places.size() - kShown);
  throw ManifestError{what};
}

Places places_where(const Channels& channels, const std::function<bool(std::string_view name)>& fits) {
  Places places;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (fits(without_case(channels[i].name))) places.push_back(i);
  }
  return places;
}

Places meant_by(std::string_view word, const Channels& channels) {
  if (const auto number = hls::whole_number(word)) {
    return *number >= 1 && *number <= channels.size() ? Places{static_cast<std::size_t>(*number - 1)} : Places{};
  }
  const std::string wanted = without_case(word);
  Places places = places_where(channels, [&](std::string_view name) { return name == wanted; });
  if (places.empty() && !wanted.empty())
    places = places_where(channels, [&](std::string_view name) { return name.find(wanted) != std::string_view::npos; });
  return places;
}

/// Those that have a word of the wanted name.
Places near(std::string_view wanted, const Channels& channels) {
  constexpr std::size_t kWord = 3;
  const std::string words = without_case(wanted);
  return places_where(channels, [&](std::string_view name) {
    for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end + 1) {
      end = std::min(words.find(' ', begin), words.size());
      const std::string_view word = std::string_view{words}.substr(begin, end - begin);
      if (word.size() >= kWord && name.find(word) != std::string_view::npos) return true;
    }
    return false;
  });
}

std::size_t choice(const Channels& channels, const std::string& url, const ChannelWish& wish) {
  if (!wish.channel && channels.size() == 1) return 0;
  Places all(channels.size());
  std::iota(all.begin(), all.end(), std::size_t{});
  if (!wish.channel) {
    refuse(fmt::format(
               "this is a list of {}: choose with {}--channel NUMBER or NAME, or {}channel=NUMBER at the end of its "
               "address",
               count_of(channels), wish.within_list ? "another " : "", wish.within_list ? "another &" : "#"),
           channels, all, url);
  }
  const Places places = meant_by(*wish.channel, channels);
  if (places.size() == 1) return places.front();
  const std::string wanted = as_one_line(*wish.channel).substr(0, kLongestName);
  if (!places.empty())
    refuse(fmt::format("\"{}\" may be each of {} in the list", wanted, places.size()), channels, places, url);
  Places alike = near(*wish.channel, channels);
  refuse(fmt::format("there is no \"{}\" in this list of {}", wanted, count_of(channels)), channels,
         alike.empty() ? all : alike, url);
}

}  // namespace

std::vector<ListedChannel> listed_channels(const std::string& text, const std::string& url) {
  std::vector<ListedChannel> listed;
  for (const Channel& channel : hls::read_channels(text).value_or(Channels{})) {
    try {
      listed.push_back({channel.name, absolute_url(url, channel.uri)});
    } catch (const ManifestError&) {  // as "udp://..."
    }
  }
  return listed;
}

std::optional<std::string> chosen_channel(const std::string& text, const std::string& url, const ChannelWish& wish) {
  const auto channels = hls::read_channels(text);
  if (!channels || channels->empty()) return std::nullopt;
  return absolute_url(url, (*channels)[choice(*channels, url, wish)].uri);
}

void refuse_channels(const std::string& text, const std::string& url) {
  if (const auto only = chosen_channel(text, url, {}))
    throw ManifestError{fmt::format("this is a list of one channel, whose address is {}", redacted(*only))};
}

}  // namespace tributary
