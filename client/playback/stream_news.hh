#pragma once

#include <optional>
#include <string>

#include "core/session.hh"
#include "core/world.hh"
#include "playback/segment_feed.hh"
#include "playback/session_commands.hh"
#include "playback/stream.hh"

namespace tributary {

/// Tells the listener of a stream what becomes of the session, beside its segments.
class StreamNews : public SessionObserver {
 public:
  /// All must outlive it.
  StreamNews(std::string url, const Session& session, SessionCommands& commands, const SegmentFeed& feed,
             StreamListener& listener);

  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

 private:
  std::string url_;
  const Session& session_;
  SessionCommands& commands_;
  const SegmentFeed& feed_;
  StreamListener& listener_;
  std::optional<FailureReason> last_failure_;
};

}  // namespace tributary
