#pragma once

#include <cstdio>
#include <string>

#include "report/session_record.hh"
#include "system/terminal_lines.hh"

namespace tributary {

/// Shows a running session: on a terminal a few lines that are redrawn, four times a second; otherwise a plain line
/// every five seconds, and one for each thing that a person would want to know of (a link lost, a stall).
class ProgressView : public SessionObserver {
 public:
  /// The record must be told of everything before this view is.
  ProgressView(std::FILE* out, const SessionRecord& record) : record_{record}, lines_{out} {}

  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;
  void say(TimePoint at, const std::string& what);
  /// Leaves the last state on the screen.
  void finish();

 private:
  void show(TimePoint at);
  std::string status_line(TimePoint at) const;
  std::string link_line(LinkId id, const LinkRecord& link) const;

  const SessionRecord& record_;
  TerminalLines lines_;
  TimePoint next_;
};

}  // namespace tributary
