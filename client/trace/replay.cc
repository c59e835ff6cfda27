#include "trace/replay.hh"

#include <fmt/format.h>

#include <utility>

#include "trace/trace_text.hh"

namespace tributary {

Session recorded_session(const SessionTrace& trace) {
  SegmentTable table{trace.presentation, trace.segments};
  if (trace.sound) table.choose_sound(*trace.sound);
  return Session{std::move(table), trace.options};
}

std::optional<std::string> replay(const SessionTrace& trace, Session& session,
                                  std::span<SessionObserver* const> observers) {
  for (const SessionTrace::Line& line : trace.lines) {
    if (const auto* event = std::get_if<Event>(&line.what)) {
      if (const auto extra = session.next_action()) {
        return fmt::format("before {}: the session says \"{}\", the trace nothing", to_text(line.at), to_text(*extra));
      }
      for (SessionObserver* observer : observers) observer->on_event(*event, line.at);
      session.handle(*event, line.at);
      continue;
    }
    const std::string recorded = to_text(std::get<Action>(line.what));
    const auto action = session.next_action();
    const std::string now = action ? to_text(*action) : "nothing";
    if (recorded != now)
      return fmt::format("at {}: the trace says \"{}\", the session \"{}\"", to_text(line.at), recorded, now);
    for (SessionObserver* observer : observers) observer->on_action(*action, line.at);
  }
  return std::nullopt;
}

}  // namespace tributary
