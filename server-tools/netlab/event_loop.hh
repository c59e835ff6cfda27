#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "system/file_descriptor.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Waits for files to be readable and for one deadline, without polling. Reads the clock once for each
/// wake-up; its time counts from the start of the machine.
class EventLoop {
 public:
  using ReadableHandler = std::function<void(TimePoint now)>;
  /// Does what is due, and says when it wants to be called next.
  using DueHandler = std::function<std::optional<TimePoint>(TimePoint now)>;

  EventLoop();

  /// The file stays the caller's, who calls forget before closing it.
  void watch(int fd, ReadableHandler on_readable);
  void forget(int fd);

  /// On each wake-up calls the handlers of the readable files, then `due`. Returns after stop().
  void run(const DueHandler& due);
  void stop() { stopped_ = true; }

  static TimePoint now();

 private:
  void set_timer(std::optional<TimePoint> deadline);

  FileDescriptor epoll_, timer_;
  std::map<int, std::shared_ptr<ReadableHandler>> handlers_;
  std::optional<TimePoint> deadline_;
  bool stopped_ = false;
};

}  // namespace tributary
