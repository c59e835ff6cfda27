#include "manifests/caption_channels.hh"

#include <algorithm>
#include <string>

namespace tributary {

std::vector<CaptionChannel> caption_channels(std::string_view value) {
  std::vector<CaptionChannel> channels;
  for (bool more = true; more;) {
    const std::size_t end = std::min(value.find(';'), value.size());
    const std::string_view word = value.substr(0, end);
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) {
      channels.push_back({std::string{word.substr(0, equals)}, std::string{word.substr(equals + 1)}});
    } else {
      // The first field has CC1 and CC2, the second one CC3 and CC4.
      channels.push_back({channels.empty() ? "CC1" : channels.size() == 1 ? "CC3" : "", std::string{word}});
    }
    more = end < value.size();
    if (more) value.remove_prefix(end + 1);
  }
  return channels;
}

bool is_shown_channel(std::string_view channel) { return channel == "CC1" || channel == "CC3"; }

Track caption_track(const CaptionChannel& channel) {
  Track track;
  track.id = channel.channel;
  track.kind = TrackKind::kText;
  track.group = "text-" + channel.channel;
  track.label = {.language = channel.language,
                 .name = channel.language.empty() ? channel.channel : "",
                 .roles = {TrackRole::kCaption}};
  track.captions = channel.channel;
  return track;
}

}  // namespace tributary
