#include "system/event_loop.hh"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace tributary {
namespace {

using namespace std::chrono_literals;

FileDescriptor readable_for_ever() { return FileDescriptor{::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK)}; }

/// Wake-ups in a tenth of a second in which something happens all the time.
int wake_ups(EventLoop& loop) {
  const FileDescriptor file = readable_for_ever();
  const TimePoint end = EventLoop::now() + 100ms;
  int count = 0;
  loop.watch(file.get(), [&](TimePoint now) {
    ++count;
    if (now >= end) loop.stop();
  });
  loop.run([](TimePoint) { return std::nullopt; });
  return count;
}

TEST(EventLoop, RestsWhenItIsBusy) {
  EventLoop loop;
  loop.rest_when_busy();
  EXPECT_LE(wake_ups(loop), 220);  // two in each millisecond
}

TEST(EventLoop, DoesNotRestUnlessItIsToldTo) {
  EventLoop loop;
  EXPECT_GT(wake_ups(loop), 220);
}

/// How late a loop that rests was for deadlines of each tenth of a millisecond.
std::vector<Duration> lateness() {
  EventLoop loop;
  loop.rest_when_busy();
  std::vector<Duration> late;
  TimePoint next = EventLoop::now();
  loop.run([&](TimePoint now) -> std::optional<TimePoint> {
    while (next <= now) {
      late.push_back(now - next);
      next += 100us;
    }
    if (late.size() >= 500) loop.stop();
    return next;
  });
  return late;
}

TEST(EventLoop, ABusyLoopKeepsItsDeadlines) {
  const auto [earliest, latest] = std::ranges::minmax(lateness());
  EXPECT_GE(earliest, Duration{});
  EXPECT_LE(earliest, 2ms);  // on a busy machine others have their turn, but not before each of them
}

}  // namespace
}  // namespace tributary
