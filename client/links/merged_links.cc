#include "links/merged_links.hh"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tributary {

MergedLinks::MergedLinks(std::vector<std::unique_ptr<LinkMonitor>> monitors)
    : monitors_{std::move(monitors)}, any_{epoll_create1(EPOLL_CLOEXEC)} {
  for (const auto& monitor : monitors_) {
    epoll_event readable{.events = EPOLLIN, .data = {}};
    if (any_.get() < 0 || epoll_ctl(any_.get(), EPOLL_CTL_ADD, monitor->file_descriptor(), &readable) != 0)
      throw std::system_error{errno, std::generic_category(), "epoll"};
  }
}

std::vector<LinkChangeNotice> MergedLinks::poll() {
  std::vector<LinkChangeNotice> all;
  for (const auto& monitor : monitors_) std::ranges::move(monitor->poll(), std::back_inserter(all));
  return all;
}

std::vector<LinkChangeNotice> MergedLinks::obstructed() const {
  std::vector<LinkChangeNotice> all;
  for (const auto& monitor : monitors_) std::ranges::move(monitor->obstructed(), std::back_inserter(all));
  return all;
}

bool MergedLinks::is_waiting() const {
  return std::ranges::any_of(monitors_, [](const auto& monitor) { return monitor->is_waiting(); });
}

}  // namespace tributary
