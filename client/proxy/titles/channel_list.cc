#include "proxy/titles/channel_list.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tributary::proxy {
namespace {

constexpr const char* kList = "channels.m3u";
constexpr const char* kChannel = "channel/";

}  // namespace

ChannelList::ChannelList(std::size_t number, std::string url, std::vector<ListedChannel> channels, bool of_internet)
    : number_{number}, url_{std::move(url)}, channels_{std::move(channels)}, of_internet_{of_internet} {}

std::string ChannelList::target() const { return fmt::format("/{}/{}", number_, kList); }

std::string ChannelList::text() const {
  std::string text = "#EXTM3U\n";
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const std::string& name = channels_[i].name;
    text +=
        fmt::format("#EXTINF:-1,{}\n{}{}\n", name.empty() ? fmt::format("Channel {}", i + 1) : name, kChannel, i + 1);
  }
  return text;
}

std::optional<std::size_t> ChannelList::place_of(const std::string& target) const {
  const std::string before = fmt::format("/{}/{}", number_, kChannel);
  if (!target.starts_with(before)) return std::nullopt;
  const char* const end = target.data() + target.size();
  std::size_t place = 0;
  const auto [rest, error] = std::from_chars(target.data() + before.size(), end, place);
  if (error != std::errc{} || (rest != end && *rest != '?') || place < 1 || place > channels_.size())
    return std::nullopt;
  return place - 1;
}

std::optional<std::size_t> ChannelList::title_of(std::size_t place) const {
  const auto found = std::ranges::find(titles_, place, [](const auto& title) { return title.first; });
  return found == titles_.end() ? std::nullopt : std::optional{found->second};
}

void ChannelList::becomes_title(std::size_t place, std::size_t title) {
  std::erase_if(titles_, [&](const auto& before) { return before.first == place; });
  titles_.emplace_back(place, title);
}

std::optional<std::size_t> ChannelList::take_oldest(std::size_t most,
                                                    const std::function<bool(std::size_t title)>& may_go) {
  if (titles_.size() <= most) return std::nullopt;
  const auto oldest = std::ranges::find_if(titles_, [&](const auto& title) { return may_go(title.second); });
  if (oldest == titles_.end()) return std::nullopt;
  const std::size_t title = oldest->second;
  titles_.erase(oldest);
  return title;
}

}  // namespace tributary::proxy
