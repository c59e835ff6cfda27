#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tributary {

struct ListedChannel {
  std::string name;  // one line of UTF-8; empty: the list has none
  std::string url;   // absolute
};
/// All of a list of channels or files, but for those without an address that can be read. Empty: the text is no such list.
/// `url`: the absolute address of the text. Throws hls::PlaylistError.
std::vector<ListedChannel> listed_channels(const std::string& text, const std::string& url);

/// The channel of a list that a user means.
struct ChannelWish {
  std::optional<std::string> channel = {};  // its name, a part of it, or its number from 1; nothing: none was named
  bool within_list = false;                 // the list is itself a channel of another one
};

/// The absolute address of the channel that is meant. Numbers come before names, and whole names before parts of them; upper
/// and lower case do not count. A list of one channel needs no name. Nothing: the text is no list of channels or files.
/// `url`: the absolute address of the text. Throws ManifestError with numbers, names and addresses of the channels that may
/// have been meant.
std::optional<std::string> chosen_channel(const std::string& text, const std::string& url, const ChannelWish& wish);

/// A list of channels is no title: throws ManifestError as if none was named. Does nothing for other texts.
void refuse_channels(const std::string& text, const std::string& url);

}  // namespace tributary
