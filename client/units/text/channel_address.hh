#pragma once

#include <span>
#include <string>
#include <vector>

namespace tributary {

/// An address that may be of a list, and the channel that is meant of it: "https://h/tv.m3u#channel=News". Where a channel
/// is a list again, another one follows: "#channel=Sport&channel=2".
struct ChannelAddress {
  std::string url;                    // without these
  std::vector<std::string> channels;  // each by its name, or its number from 1
};

/// Any text is allowed. A fragment that names no channel stays.
ChannelAddress channel_address(const std::string& text);
/// The address of these channels, in place of those that it has. Without any, it stays.
std::string with_channels(const std::string& text, std::span<const std::string> channels);

}  // namespace tributary
