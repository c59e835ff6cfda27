#pragma once

#include <memory>
#include <string>

#include "playback/stream.hh"
#include "player/desktop/local_server.hh"
#include "player/texts/track_names.hh"

namespace tributary::play {

/// The title that is open, or that could not be opened.
struct OpenTitle {
  std::string url;       // empty: none
  std::string streamed;  // the same as the player asks for it: of a file of this computer, by our own server
  Duration opened_at{};
  StreamInfo info;  // empty until the stream tells it
  TrackNames names;
  std::unique_ptr<LocalServer> server;  // for a file of this computer

  /// Sets `streamed`. Throws std::runtime_error if there is no such file.
  void serve();
  void learn(const StreamInfo& told);
  /// Forgets what the stream told of the title before.
  void forget() { info = {}, names = {}; }
  /// As its author calls it, as soon as that is known.
  std::string name() const;
};

}  // namespace tributary::play
