#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/session.hh"
#include "playback/command_queue.hh"
#include "playback/link_uses.hh"
#include "playback/status_board.hh"
#include "playback/status_recorder.hh"
#include "worlds/event_source.hh"

namespace tributary {

/// What is asked of a stream, in the words of the core; and how it stands, for all who ask.
class SessionCommands : public EventSource {
 public:
  /// All must outlive it. `first`: commands from before the session.
  SessionCommands(CommandQueue& commands, std::vector<Command> first, LinkUses& uses, StatusRecorder& recorder,
                  StatusBoard& board);

  int file_descriptor() const override { return commands_.file_descriptor(); }
  void advance(TimePoint now, std::deque<TimedEvent>& happened) override;
  std::optional<TimePoint> next_deadline() const override { return shown_ + kShowEvery; }
  bool closed() const { return closed_; }

 private:
  static constexpr Duration kShowEvery = std::chrono::milliseconds{200};

  void take(const Command& command, TimePoint now, std::deque<TimedEvent>& happened);

  CommandQueue& commands_;
  std::vector<Command> first_;
  LinkUses& uses_;
  StatusRecorder& recorder_;
  StatusBoard& board_;
  TimePoint shown_;
  bool closed_ = false;
};

}  // namespace tributary
