#pragma once

#include <optional>
#include <string>
#include <vector>

#include "playback/command_queue.hh"
#include "playback/status/link_uses.hh"
#include "playback/status/status_board.hh"
#include "playback/stream.hh"
#include "worlds/costed_world.hh"
#include "worlds/found_presentation.hh"

namespace tributary {

/// A stream from its opening to its closing, in one thread.
class StreamRun {
 public:
  /// All must outlive it.
  StreamRun(const std::string& url, const Stream::Options& options, StreamListener& listener, CommandQueue& commands,
            StatusBoard& board);

  /// Returns when the stream is closed.
  void run();

 private:
  void open_and_play();
  void play(const FoundPresentation& found, std::vector<Command> first, const SessionToCome& to_come);
  SessionOptions session_options(const Presentation& presentation) const;
  Duration latency_limit(Duration latency) const;
  Duration latency_of(const Presentation& presentation) const;
  void wait_for_close();

  const std::string& url_;
  const Stream::Options& options_;
  StreamListener& listener_;
  CommandQueue& commands_;
  StatusBoard& board_;
  LinkUses uses_;
};

}  // namespace tributary
