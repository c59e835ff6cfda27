#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playback/command_queue.hh"
#include "playback/status/link_uses.hh"
#include "playback/status/status_board.hh"
#include "playback/stream.hh"
#include "transport/connections/curl_loop.hh"
#include "worlds/found_presentation.hh"

namespace tributary {

/// Finds a presentation: looks up the address, and fetches the index over the first link that can. If there is no link,
/// or no name server, waits for one and tells so. Ends at once when the user closes the stream.
class StreamOpening {
 public:
  /// All references must outlive the object. `session`: for the session that follows.
  StreamOpening(const std::string& url, const Stream::Options& options, CommandQueue& commands, LinkUses& uses,
                StatusBoard& board, SessionToCome session);

  /// Throws StreamClosed or StreamError.
  FoundPresentation find();
  /// The commands for the session that have come meanwhile.
  std::vector<Command> take_commands() { return std::move(for_the_session_); }

 private:
  FoundPresentation wait_until_found(const PresentationSearch& search);
  std::vector<std::string> resolve(const transport::Origin& origin);
  void wait(transport::CurlLoop& loop, std::optional<Duration> timeout, int fd = -1);
  void show_waiting(const std::string& what_for);

  const std::string& url_;
  const Stream::Options& options_;
  CommandQueue& commands_;
  LinkUses& uses_;
  StatusBoard& board_;
  SessionToCome session_;
  std::vector<Command> for_the_session_;
};

}  // namespace tributary
