#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/session.hh"
#include "core/world.hh"
#include "playback/segment_feed.hh"
#include "playback/session_commands.hh"
#include "playback/stream.hh"
#include "worlds/discovery/live_origin.hh"

namespace tributary {

/// Tells the listener of a stream all events of the session but its segments.
class StreamNews : public SessionObserver {
 public:
  using Tell = std::function<void(const std::string& note)>;

  /// All references must outlive the object. `live`: null on demand. `tell`: Stream::Options::tell.
  StreamNews(std::string url, SessionCommands& commands, const SegmentFeed& feed, const LiveOrigin* live,
             StreamListener& listener, Tell tell);

  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

 private:
  std::string url_;
  SessionCommands& commands_;
  const SegmentFeed& feed_;
  const LiveOrigin* live_;
  StreamListener& listener_;
  Tell tell_;
  std::optional<FailureReason> last_failure_;
};

}  // namespace tributary
