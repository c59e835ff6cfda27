#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manifests/channel_choice.hh"

namespace tributary::proxy {

/// A list of channels for players. Each channel has a target of its own, and becomes a title when it is asked for. Not
/// thread-safe.
class ChannelList {
 public:
  /// `number`: the first part of its targets. `of_internet`: its channels may lead to no address near this machine.
  ChannelList(std::size_t number, std::string url, std::vector<ListedChannel> channels, bool of_internet);

  const std::string& url() const { return url_; }
  bool is_of_internet() const { return of_internet_; }
  /// Of the list itself: "/1/channels.m3u".
  std::string target() const;
  /// Names, each with its target relative to that of the list.
  std::string text() const;
  /// The place of the channel that has this target, which begins with that number; nothing: none has.
  std::optional<std::size_t> place_of(const std::string& target) const;
  const ListedChannel& channel(std::size_t place) const { return channels_[place]; }

  /// The number of the title that the channel became last; nothing: it became none.
  std::optional<std::size_t> title_of(std::size_t place) const;
  void becomes_title(std::size_t place, std::size_t title);
  /// The oldest title that may go, which is forgotten, where there are more than this many; nothing: there are not.
  std::optional<std::size_t> take_oldest(std::size_t most, const std::function<bool(std::size_t title)>& may_go);

 private:
  std::size_t number_;
  std::string url_;
  std::vector<ListedChannel> channels_;
  bool of_internet_;
  std::vector<std::pair<std::size_t, std::size_t>> titles_;  // place and title, oldest first
};

}  // namespace tributary::proxy
