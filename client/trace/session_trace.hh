#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/session.hh"
#include "core/world.hh"

namespace tributary {

/// A session written down: its presentation and options, then every event and action with its time, one line each.
///
///   tributary-trace 1
///   index {"format":"tributary-index", ...}
///   segments 100
///   sound 5
///   options mode=ondemand subsegments=dynamic ...
///   0.000000000 event link-up link=0 name="wifi"
///   0.000000000 action send-request request=1 link=0 ...
struct SessionTrace {
  struct Line {
    TimePoint at;
    std::variant<Event, Action> what;
  };

  Presentation presentation;
  std::optional<std::size_t> segments;  // at most this number; nothing ("-" in the text): all there will be
  std::optional<std::size_t> sound;     // the track that was chosen; nothing, and no line: the first sound
  SessionOptions options;
  std::vector<Line> lines;

  /// Throws std::invalid_argument with the number of the wrong line.
  static SessionTrace read(std::istream& in);
};

/// Writes a trace while the session runs. The stream must outlive the writer; its owner checks it for write errors.
class TraceWriter : public SessionObserver {
 public:
  TraceWriter(std::ostream& out, const Session& session);
  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

 private:
  std::ostream& out_;
};

}  // namespace tributary
