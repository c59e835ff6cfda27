#pragma once

#include "system/file_descriptor.hh"

namespace tributary::transport {

/// Wakes a thread that waits for file descriptors. Thread-safe.
class EventFd {
 public:
  /// Throws std::system_error.
  EventFd();

  /// Readable from signal() to clear().
  int get() const { return fd_.get(); }
  void signal();
  void clear();

 private:
  FileDescriptor fd_;
};

}  // namespace tributary::transport
