#include "system/event_loop.hh"

#include <sys/timerfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

namespace tributary {
namespace {

constexpr Duration kRest = std::chrono::microseconds{500};
constexpr int kBusy = 4;

void check(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

EventLoop::EventLoop()
    : epoll_{::epoll_create1(EPOLL_CLOEXEC)}, timer_{::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)} {
  check(epoll_.get(), "make an epoll");
  check(timer_.get(), "make a timer");
  watch(timer_.get(), [this](TimePoint) {
    std::uint64_t expirations = 0;
    [[maybe_unused]] const ssize_t size = ::read(timer_.get(), &expirations, sizeof expirations);
    deadline_.reset();
  });
}

void EventLoop::watch(int fd, ReadableHandler on_readable) {
  handlers_[fd] = std::make_shared<ReadableHandler>(std::move(on_readable));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  check(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event), "watch a file");
}

void EventLoop::set_interest(int fd, Interest interest) {
  epoll_event event{};
  event.events = (interest.read ? EPOLLIN : 0U) | (interest.write ? EPOLLOUT : 0U);
  event.data.fd = fd;
  check(::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event), "watch a file");
}

void EventLoop::forget(int fd) {
  handlers_.erase(fd);
  check(::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr), "stop watching a file");
}

void EventLoop::run(const DueHandler& due) {
  set_timer(due(now()));
  while (!stopped_) {
    std::array<epoll_event, 64> events{};
    const int count = wait(events);
    if (count < 0 && errno == EINTR) continue;
    check(count, "wait for events");
    const TimePoint woken = woken_;
    for (const epoll_event& event : std::span{events}.first(static_cast<std::size_t>(count))) {
      const auto found = handlers_.find(event.data.fd);
      if (found == handlers_.end()) continue;  // an earlier handler has called forget()
      const auto handler = found->second;      // a copy, because the handler may call forget()
      (*handler)(woken);
    }
    set_timer(due(woken));
  }
}

int EventLoop::wait(std::span<epoll_event> events) {
  if (rests_ && busy_ >= kBusy) {
    const Duration left = woken_ + kRest - now();
    if (left > Duration::zero()) std::this_thread::sleep_for(left);
  }
  const TimePoint before = now();
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
  woken_ = now();
  busy_ = woken_ - before < kRest / 4 ? busy_ + 1 : 0;
  return count;
}

TimePoint EventLoop::now() {
  return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch())};
}

void EventLoop::set_timer(std::optional<TimePoint> deadline) {
  if (deadline == deadline_) return;
  deadline_ = deadline;
  itimerspec setting{};  // zero disarms
  if (deadline) {
    const Duration time = std::max(deadline->time_since_epoch(), Duration{1});
    setting.it_value.tv_sec = static_cast<time_t>(time / std::chrono::seconds{1});
    setting.it_value.tv_nsec = static_cast<long>((time % std::chrono::seconds{1}).count());
  }
  check(::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &setting, nullptr), "set the timer");
}

}  // namespace tributary
