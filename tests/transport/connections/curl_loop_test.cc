#include "transport/connections/curl_loop.hh"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(CurlLoop, NeverWakesBeforeTheDeadline) {
  CurlLoop loop;
  for (const Duration timeout : {Duration{300us}, Duration{1500us}, Duration{20ms}}) {
    const auto begin = Clock::now();
    loop.wait(timeout);
    EXPECT_GE(Clock::now() - begin, timeout);
  }
}

TEST(CurlLoop, APastDeadlineIsNoWait) {
  CurlLoop loop;
  const auto begin = Clock::now();
  loop.wait(-5s);
  EXPECT_LT(Clock::now() - begin, 4s);
}

TEST(CurlLoop, TellsWhichOtherDescriptorIsReady) {
  std::array<int, 2> quiet{}, busy{};
  ASSERT_EQ(pipe(quiet.data()), 0);
  ASSERT_EQ(pipe(busy.data()), 0);
  ASSERT_EQ(write(busy[1], "x", 1), 1);
  std::array<CurlLoop::ExtraFd, 2> extra{{{.fd = quiet[0]}, {.fd = busy[0]}}};
  CurlLoop loop;
  loop.wait(std::nullopt, extra);
  EXPECT_FALSE(extra[0].ready);
  EXPECT_TRUE(extra[1].ready);
  for (const int fd : {quiet[0], quiet[1], busy[0], busy[1]}) close(fd);
}

TEST(CurlLoop, ASocketThatIsLeftUnreadDoesNotKeepItAwake) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
  CurlLoop loop;
  CurlLoop::Socket socket{.fd = ends[0], .readable = false};
  loop.watch(socket);
  loop.wait(std::nullopt);
  EXPECT_TRUE(socket.readable);

  const auto begin = Clock::now();
  loop.wait(20ms);
  EXPECT_GE(Clock::now() - begin, 20ms);
  loop.forget(socket);
  for (const int fd : ends) close(fd);
}

TEST(CurlLoop, IsWokenByAnotherThread) {
  CurlLoop loop;
  std::thread other{[&] { loop.wake_up(); }};
  constexpr Duration kLongest = std::chrono::minutes{1};
  const auto begin = Clock::now();
  loop.wait(kLongest);
  EXPECT_LT(Clock::now() - begin, kLongest);
  other.join();
}

}  // namespace
}  // namespace tributary::transport
