#pragma once

namespace tributary::transport {

/// Wakes a thread that waits for file descriptors. May be used by all threads.
class EventFd {
 public:
  /// Throws std::system_error.
  EventFd();
  ~EventFd();
  EventFd(const EventFd&) = delete;
  EventFd& operator=(const EventFd&) = delete;

  /// Readable from signal() to clear().
  int get() const { return fd_; }
  void signal();
  void clear();

 private:
  int fd_;
};

}  // namespace tributary::transport
