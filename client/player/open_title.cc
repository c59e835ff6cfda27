#include "player/open_title.hh"

#include <filesystem>

#include "player/memory/address.hh"
#include "units/text/channel_address.hh"

namespace tributary::play {

void OpenTitle::serve() {
  const std::string local = local_path(url);
  if (local.empty()) {
    server.reset();
    streamed = url;
    return;
  }
  const std::filesystem::path path = std::filesystem::canonical(local);  // the segments lie beside the file itself
  if (!server || server->folder() != path.parent_path()) server = std::make_unique<LocalServer>(path.parent_path());
  streamed = with_channels(server->address(path.filename()), channel_address(url).channels);
}

void OpenTitle::learn(const StreamInfo& told) {
  info = told;
  names = track_names(told);
}

std::string OpenTitle::name() const {
  if (url.empty()) return {};
  return info.presentation.title.empty() ? address_title(url) : info.presentation.title;
}

}  // namespace tributary::play
