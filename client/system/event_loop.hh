#pragma once

#include <sys/epoll.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "system/file_descriptor.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Waits for files and for one deadline, without polling. Reads the clock once for each wake-up. Time counts
/// from the start of the machine.
class EventLoop {
 public:
  using ReadableHandler = std::function<void(TimePoint now)>;
  /// Does all that is due, and returns the time of the next call.
  using DueHandler = std::function<std::optional<TimePoint>(TimePoint now)>;

  EventLoop();

  /// The caller keeps the file, and must call forget() before closing it.
  void watch(int fd, ReadableHandler on_readable);
  struct Interest {
    bool read = true, write = false;
  };
  /// The handler of a file is called when it can be read, or also, or only, when it can be written.
  void set_interest(int fd, Interest interest);
  void forget(int fd);

  /// Calls the handlers of the readable files, then `due`, on each wake-up. Returns after stop().
  void run(const DueHandler& due);
  void stop() { stopped_ = true; }
  /// While something happens all the time, wakes up every half of a millisecond only: many small things cost less
  /// together. Alone, each is still seen at once.
  void rest_when_busy() { rests_ = true; }

  static TimePoint now();

 private:
  void set_timer(std::optional<TimePoint> deadline);
  int wait(std::span<epoll_event> events);

  FileDescriptor epoll_, timer_;
  std::map<int, std::shared_ptr<ReadableHandler>> handlers_;
  std::optional<TimePoint> deadline_;
  bool stopped_ = false;
  bool rests_ = false;
  TimePoint woken_{};
  int busy_ = 0;  // wake-ups in a row for which hardly anything was waited
};

}  // namespace tributary
