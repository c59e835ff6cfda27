#include "units/text/channel_address.hh"

#include <algorithm>
#include <string_view>

#include "units/text/percent_escapes.hh"

namespace tributary {
namespace {

constexpr std::string_view kChannel = "channel=";

}  // namespace

ChannelAddress channel_address(const std::string& text) {
  const std::size_t mark = text.find('#');
  if (mark == std::string::npos || text.compare(mark + 1, kChannel.size(), kChannel) != 0) return {text, {}};
  ChannelAddress address{text.substr(0, mark), {}};
  for (std::string_view rest = std::string_view{text}.substr(mark + 1); !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    if (part.starts_with(kChannel)) address.channels.push_back(percent_decoded(part.substr(kChannel.size())));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  return address;
}

std::string with_channels(const std::string& text, std::span<const std::string> channels) {
  if (channels.empty()) return text;
  std::string address = text.substr(0, text.find('#'));
  for (const std::string& channel : channels)
    address.append(1, &channel == channels.data() ? '#' : '&').append(kChannel).append(percent_encoded(channel));
  return address;
}

}  // namespace tributary
