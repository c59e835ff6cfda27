#include "netlab/link_shaper.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TimePoint at(Duration time) { return TimePoint{time}; }

LinkCondition condition(std::string_view text) { return parse_scenario("link " + std::string{text})[0].at(at(0s)); }

/// A frame of 1000 bytes, which takes 1 ms at 8 Mbit/s, known by its first byte.
Frame frame(int number) { return {std::vector<std::byte>(1000, static_cast<std::byte>(number))}; }

struct Arrival {
  int number;
  Duration time;
  bool operator==(const Arrival&) const = default;
};
void PrintTo(const Arrival& arrival, std::ostream* out) {
  *out << "frame " << arrival.number << " at " << to_seconds(arrival.time) * 1e3 << " ms";
}

/// Calls the shaper at the moments that it asks for, until nothing is left.
std::vector<Arrival> run(LinkShaper& shaper) {
  std::vector<Arrival> arrivals;
  while (const auto deadline = shaper.next_deadline()) {
    for (const Frame& arrived : shaper.take_arrived(*deadline)) {
      arrivals.push_back({static_cast<int>(arrived.bytes[0]), deadline->time_since_epoch()});
    }
  }
  return arrivals;
}

TEST(LinkShaper, AFrameArrivesAfterItsSerialisationAndHalfTheRtt) {
  LinkShaper shaper{condition("8Mbps 20ms"), 1};
  shaper.enqueue(frame(1), at(5ms));
  EXPECT_THAT(shaper.take_arrived(at(16ms - 1ns)), IsEmpty());
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{1, 5ms + 1ms + 10ms}));
}

TEST(LinkShaper, WhatStandsBeforeAFrameTakesNoTime) {
  LinkShaper shaper{condition("8Mbps 20ms"), 1};
  shaper.enqueue({std::vector<std::byte>(1010, std::byte{1}), 10}, at(0s));
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{1, 11ms}));
  EXPECT_EQ(shaper.counters().bytes, 1_kB);
}

TEST(LinkShaper, FramesFollowOneAnotherAtTheRate) {
  LinkShaper shaper{condition("8Mbps 20ms"), 1};
  for (int i = 1; i <= 3; ++i) shaper.enqueue(frame(i), at(0s));
  EXPECT_EQ(shaper.waiting(), 2u);
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{1, 11ms}, Arrival{2, 12ms}, Arrival{3, 13ms}));
  EXPECT_EQ(shaper.counters().frames, 3u);
  EXPECT_EQ(shaper.counters().bytes, 3_kB);
}

TEST(LinkShaper, LateCallsDoNotSlowTheLink) {
  LinkShaper shaper{condition("8Mbps 20ms"), 1};
  for (int i = 1; i <= 50; ++i) shaper.enqueue(frame(i), at(0s));
  EXPECT_EQ(shaper.take_arrived(at(40ms + 999us)).size(),
            30u);  // the 30th ended at 30 ms and arrived at 40 ms
  EXPECT_EQ(run(shaper).back(), (Arrival{50, 60ms}));
}

TEST(LinkShaper, AFullQueueDropsWhatComes) {
  LinkShaper shaper{condition("8Mbps 20ms, queue 2"), 1};
  for (int i = 1; i <= 5; ++i) shaper.enqueue(frame(i), at(0s));  // 1 is being sent, 2 and 3 wait
  shaper.enqueue(frame(6), at(1ms));                              // 1 has left, 2 is being sent
  EXPECT_EQ(shaper.counters().dropped_queue, 2u);
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{1, 11ms}, Arrival{2, 12ms}, Arrival{3, 13ms}, Arrival{6, 14ms}));
}

TEST(LinkShaper, AFrameInFlightGoesOnAtTheNewRate) {
  LinkShaper shaper{condition("8Mbps 20ms"), 1};
  shaper.enqueue(frame(1), at(0s));
  shaper.enqueue(frame(2), at(0s));
  shaper.change(condition("2Mbps 20ms"), at(500us));  // half of frame 1 is left: 2 ms instead of 0.5 ms
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{1, 2500us + 10ms}, Arrival{2, 6500us + 10ms}));
}

TEST(LinkShaper, WithoutRateFramesWaitForTheNextChange) {
  LinkShaper shaper{condition("8Mbps 20ms"), 1};
  shaper.enqueue(frame(1), at(0s));
  shaper.change(condition("0Mbps 20ms"), at(500us));
  EXPECT_EQ(shaper.next_deadline(), std::nullopt);
  EXPECT_THAT(shaper.take_arrived(at(1h)), IsEmpty());
  shaper.change(condition("8Mbps 20ms"), at(2h));
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{1, 2h + 500us + 10ms}));
}

TEST(LinkShaper, AShorterDelayDoesNotOvertake) {
  LinkShaper shaper{condition("8Mbps 100ms"), 1};
  shaper.enqueue(frame(1), at(0s));
  shaper.change(condition("8Mbps 20ms"), at(1ms));
  shaper.enqueue(frame(2), at(1ms));
  shaper.enqueue(frame(3), at(45ms));
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{1, 51ms}, Arrival{2, 51ms}, Arrival{3, 56ms}));
}

TEST(LinkShaper, JitterAddsToTheDelayAndKeepsTheOrder) {
  const LinkCondition jittery = condition("8Mbps 20ms, jitter 5ms");
  LinkShaper shaper{jittery, 42};
  SplitMix random{42};
  std::vector<Arrival> expected;
  for (int i = 1; i <= 50; ++i) {
    shaper.enqueue(frame(i), at(0s));
    const Duration arrival = i * 1ms + 10ms + from_seconds(5e-3 * random.uniform());
    expected.push_back({i, i == 1 ? arrival : std::max(arrival, expected.back().time)});
  }
  EXPECT_EQ(run(shaper), expected);
}

TEST(LinkShaper, LossIsDecidedByTheSeedAndUsesTheLink) {
  LinkShaper shaper{condition("8Mbps 20ms, loss 30%"), 42};
  SplitMix random{42};
  std::vector<Arrival> expected;
  for (int i = 1; i <= 50; ++i) {
    shaper.enqueue(frame(i), at(0s));
    if (random.uniform() >= 0.3) expected.push_back({i, i * 1ms + 10ms});
  }
  EXPECT_EQ(run(shaper), expected);
  EXPECT_EQ(shaper.counters().dropped_loss, 50 - expected.size());
}

TEST(LinkShaper, ALinkThatGoesDownDropsEverything) {
  LinkShaper shaper{condition("8Mbps 20ms"), 1};
  for (int i = 1; i <= 3; ++i) shaper.enqueue(frame(i), at(0s));
  LinkCondition down = condition("8Mbps 20ms");
  down.up = false;
  shaper.change(down, at(1500us));  // 1 travels, 2 is being sent, 3 waits
  shaper.enqueue(frame(4), at(2ms));
  EXPECT_EQ(shaper.next_deadline(), std::nullopt);
  EXPECT_EQ(shaper.counters().dropped_down, 4u);
  shaper.change(condition("8Mbps 20ms"), at(1s));
  shaper.enqueue(frame(5), at(1s));
  EXPECT_THAT(run(shaper), ElementsAre(Arrival{5, 1011ms}));
}

}  // namespace
}  // namespace tributary
