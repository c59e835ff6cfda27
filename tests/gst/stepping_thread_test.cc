#include "gst/source/stepping_thread.hh"

#include <gtest/gtest.h>

#include <future>

#include "gst/source/seek_gate.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// Sleeps for an hour after each step that does nothing, so that a wake-up that is lost is seen.
TEST(SteppingThread, WhatHappensDuringAStepBeginsAnother) {
  SteppingThread thread;
  std::promise<void> again;
  thread.start([&, steps = 0]() mutable -> std::optional<SteppingThread::Clock::time_point> {
    if (++steps == 1) thread.wake();
    if (steps == 2) again.set_value();
    return SteppingThread::Clock::now() + 1h;
  });
  again.get_future().wait();
  thread.end();
  thread.join();
}

TEST(SteppingThread, StepsFollowOneAnotherAsLongAsMoreMayBeDue) {
  SteppingThread thread;
  int steps = 0;
  thread.start([&]() -> std::optional<SteppingThread::Clock::time_point> {
    if (++steps == 3) thread.end();
    return std::nullopt;
  });
  thread.join();
  EXPECT_EQ(steps, 3);
  EXPECT_TRUE(thread.ending());
}

TEST(SteppingThread, RunsAnewAfterItsEnd) {
  SteppingThread thread;
  thread.join();  // none runs
  int runs = 0;
  for (int i = 0; i < 2; ++i) {
    thread.start([&]() -> std::optional<SteppingThread::Clock::time_point> {
      ++runs;
      thread.end();
      return std::nullopt;
    });
    thread.join();
  }
  EXPECT_EQ(runs, 2);
}

TEST(SeekGate, TheSameSeekIsDoneOnceAndItsResultKept) {
  SeekGate gate;
  int done = 0;
  const auto seek = [&](bool result) {
    return [&done, result] {
      ++done;
      return result;
    };
  };
  EXPECT_FALSE(gate.once(7, seek(false)));
  EXPECT_FALSE(gate.once(7, seek(true)));
  EXPECT_TRUE(gate.once(8, seek(true)));
  EXPECT_TRUE(gate.once(8, seek(false)));
  EXPECT_EQ(done, 2);
  {
    const SeekGate::Closed closed = gate.close();
    gate.forget();
  }
  EXPECT_FALSE(gate.once(8, seek(false)));
  EXPECT_EQ(done, 3);
}

}  // namespace
}  // namespace tributary
