#include "transport/sockets/event_fd.hh"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

namespace tributary::transport {

EventFd::EventFd() : fd_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)} {
  if (!fd_.is_open()) throw std::system_error{errno, std::generic_category(), "eventfd"};
}

void EventFd::signal() { eventfd_write(fd_.get(), 1); }

void EventFd::clear() {
  eventfd_t count = 0;
  eventfd_read(fd_.get(), &count);
}

}  // namespace tributary::transport
