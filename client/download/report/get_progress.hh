#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/session_record.hh"
#include "system/terminal_lines.hh"

namespace tributary {

/// How far a download is.
struct GetStatus {
  DataSize done;                 // of the object, with the bytes of an earlier run
  std::optional<DataSize> size;  // of the object
  DataRate rate;                 // of all links, now
  std::vector<std::pair<std::string, DataRate>> links;
};

/// One line about a download, of at most `columns` columns. They are given to its parts in this order: what is done, the
/// time left, the rate, the links, the sizes, the bar. A part that does not fit is left out. With all parts it reads:
/// "████████········  50.0 %  5.00 MB of 10.0 MB  8.00 Mbit/s  0:05 left  wifi 6.00 Mbit/s  lte 2.00 Mbit/s"
std::string status_text(const GetStatus& status, std::optional<std::size_t> columns = {});

/// Shows a download: on a terminal, one line that is redrawn four times a second; elsewhere, a plain line every five
/// seconds.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* out) : lines_{out} {}

  bool wanted(TimePoint at) const { return at >= next_; }
  void show(const GetStatus& status, TimePoint at);
  /// Prints a line that stays, such as a lost link.
  void say(const std::string& what);
  /// Leaves the last state on the screen.
  void finish() { lines_.leave(); }

 private:
  TerminalLines lines_;
  TimePoint next_;
};

/// Shows a session that downloads.
class GetProgress : public SessionObserver {
 public:
  /// The bytes that one link brings beside the session.
  struct Brought {
    std::string link;
    DataSize size;
    DataRate rate;
  };
  using Beside = std::function<Brought()>;

  using Size = std::function<DataSize()>;

  /// The record must be told of everything before this view is. `before`: bytes from an earlier run. `size`: the bytes
  /// of all, which may become better known.
  GetProgress(ProgressLine& line, const SessionRecord& record, DataSize before, Size size, Beside beside = {})
      : line_{line}, record_{record}, before_{before}, size_{std::move(size)}, beside_{std::move(beside)} {}

  void on_event(const Event& event, TimePoint at) override;
  void on_action(const Action& action, TimePoint at) override;

 private:
  GetStatus status() const;
  static void add(const Brought& more, GetStatus& status);

  ProgressLine& line_;
  const SessionRecord& record_;
  DataSize before_;
  Size size_;
  Beside beside_;  // if anything does
};

}  // namespace tributary
