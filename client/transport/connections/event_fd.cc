#include "transport/connections/event_fd.hh"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tributary::transport {

EventFd::EventFd() : fd_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {
  if (fd_ < 0) throw std::system_error{errno, std::generic_category(), "eventfd"};
}

EventFd::~EventFd() { close(fd_); }

void EventFd::signal() { eventfd_write(fd_, 1); }

void EventFd::clear() {
  eventfd_t count = 0;
  eventfd_read(fd_, &count);
}

}  // namespace tributary::transport
