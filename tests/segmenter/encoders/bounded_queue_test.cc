#include "segmenter/encoders/bounded_queue.hh"

#include <gtest/gtest.h>

#include <thread>

namespace tributary::segmenter {
namespace {

TEST(BoundedQueue, EverythingArrivesInOrderThroughANarrowQueue) {
  BoundedQueue<int> queue{2};
  std::jthread giver{[&](const std::stop_token& stop) {
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(queue.push(i, stop));
    queue.close();
  }};
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(queue.pop({}), i);
  EXPECT_EQ(queue.pop({}), std::nullopt);
}

TEST(BoundedQueue, WhoWaitsIsReleasedByAStop) {
  BoundedQueue<int> queue{1};
  EXPECT_TRUE(queue.push(1, {}));
  std::stop_source stop;
  bool taken = true;
  std::jthread giver{[&] { taken = queue.push(2, stop.get_token()); }};
  stop.request_stop();
  giver.join();
  EXPECT_FALSE(taken);
  EXPECT_EQ(queue.pop(stop.get_token()), std::nullopt) << "after a stop nothing is handed out";
}

}  // namespace
}  // namespace tributary::segmenter
