#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/session.hh"
#include "playback/command_queue.hh"
#include "playback/segment_feed.hh"
#include "playback/status/link_uses.hh"
#include "playback/status/status_board.hh"
#include "playback/status/status_recorder.hh"
#include "worlds/event_source.hh"

namespace tributary {

/// Turns the commands of a stream into events of the core, and puts up the stream's status.
class SessionCommands : public EventSource {
 public:
  /// All references must outlive the object. `first`: commands from before the session.
  SessionCommands(CommandQueue& commands, std::vector<Command> first, const Session& session, SegmentFeed& feed,
                  LinkUses& uses, StatusRecorder& recorder, StatusBoard& board);

  int file_descriptor() const override { return commands_.file_descriptor(); }
  void advance(TimePoint now, std::deque<TimedEvent>& happened) override;
  std::optional<TimePoint> next_deadline() const override { return show_at_; }
  /// To be called just before the session is told of a seek.
  void seek_happens();
  bool closed() const { return closed_; }

 private:
  static constexpr Duration kShowEvery = std::chrono::milliseconds{200};

  struct Seek {
    std::uint32_t generation = 0;
    std::vector<MediaSegment> cached;
  };

  std::optional<Event> event_of(const command::Seek& seek);
  std::optional<Event> event_of(const command::ChooseQuality& choice);
  std::optional<Event> event_of(const command::UseLink& use);
  std::optional<Event> event_of(const PlayoutReport& report) const;
  std::optional<Event> event_of(const command::Close& close);
  SegmentIndex last_to_seek() const;
  bool is_sound(std::optional<std::size_t> track) const;

  CommandQueue& commands_;
  std::vector<Command> first_;
  const Session& session_;
  SegmentFeed& feed_;
  LinkUses& uses_;
  StatusRecorder& recorder_;
  StatusBoard& board_;
  std::uint32_t generation_ = 0;
  std::deque<Seek> seeks_;  // those that the session has not been told yet
  TimePoint show_at_;
  bool closed_ = false;
};

}  // namespace tributary
