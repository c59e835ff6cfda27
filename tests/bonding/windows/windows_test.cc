#include <gtest/gtest.h>

#include "bonding/windows/ccid2_window.hh"
#include "bonding/windows/delay_estimate.hh"
#include "bonding/windows/delivery_rate.hh"
#include "bonding/windows/paced_window.hh"
#include "bonding/windows/way_there.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr DataSize kSize{1000};

/// A CCID2 window that is always full, in whose round trips all or some packets arrive.
class Ccid2WindowTest : public ::testing::Test {
 protected:
  void fill() {
    while (window.opens_at(kSize, in_flight, now)) {
      window.sent(kSize, in_flight, now);
      packets.push_back({PathSequence{}, kSize, now});
      in_flight = {in_flight.packets + 1, in_flight.size + kSize};
    }
  }
  /// Feedback for two packets at a time, for all that are on their way; then as many as the window lets go.
  void round_trip() {
    fill();
    now += 100ms;
    std::vector<SentPacket> arriving = std::exchange(packets, {});
    for (std::size_t i = 0; i < arriving.size(); i += 2) {
      const auto two = std::span{arriving}.subspan(i, std::min<std::size_t>(2, arriving.size() - i));
      in_flight = {in_flight.packets - two.size(), {}};
      window.take_in({.arrived = two, .lost = {}, .in_flight = in_flight}, now);
      fill();
    }
  }
  void lose(TimePoint sent_at) {
    const SentPacket lost{PathSequence{}, kSize, sent_at};
    window.take_in({.arrived = {}, .lost = {&lost, 1}, .in_flight = in_flight}, now);
  }

  Ccid2Window window;
  std::vector<SentPacket> packets;
  InFlight in_flight;
  TimePoint now{};
};

TEST_F(Ccid2WindowTest, BeginsWithThreePacketsAndGrowsByHalfInSlowStart) {
  EXPECT_EQ(window.packets(), 3);
  fill();
  EXPECT_EQ(in_flight.packets, 3U);
  double before = window.packets();
  for (int i = 0; i < 4; ++i, before = window.packets()) {
    round_trip();
    EXPECT_NEAR(window.packets(), 1.5 * before, 1);
  }
  EXPECT_TRUE(window.in_slow_start());
}

TEST_F(Ccid2WindowTest, HalvesOnceForAllLossesOfAWindow) {
  for (int i = 0; i < 4; ++i) round_trip();
  const double before = window.packets();
  lose(now);
  EXPECT_EQ(window.packets(), before / 2);
  now += 1ms;
  lose(now - 2ms);
  EXPECT_EQ(window.packets(), before / 2);
  lose(now);
  EXPECT_EQ(window.packets(), before / 4);
}

TEST_F(Ccid2WindowTest, GrowsByOnePacketInARoundTripAfterThat) {
  for (int i = 0; i < 5; ++i) round_trip();
  lose(now);
  packets.clear();
  in_flight = {};
  const double before = window.packets();
  round_trip();
  round_trip();
  round_trip();
  EXPECT_NEAR(window.packets(), before + 3, 1);
}

TEST_F(Ccid2WindowTest, BeginsWithOnePacketAfterATimeOut) {
  for (int i = 0; i < 4; ++i) round_trip();
  const double before = window.packets();
  window.timed_out(now);
  EXPECT_EQ(window.packets(), 1);
  EXPECT_TRUE(window.in_slow_start());
  EXPECT_TRUE(window.opens_at(kSize, {}, now));
  EXPECT_FALSE(window.opens_at(kSize, {1, kSize}, now));
  in_flight = {};
  packets.clear();
  while (window.in_slow_start()) round_trip();
  EXPECT_NEAR(window.packets(), before / 2, 1);
}

TEST_F(Ccid2WindowTest, DoesNotGrowWhileItIsNotUsed) {
  const SentPacket arrived{PathSequence{}, kSize, now};
  for (int i = 0; i < 50; ++i) {
    window.sent(kSize, {}, now);
    window.take_in({.arrived = {&arrived, 1}, .lost = {}, .in_flight = {}}, now);
  }
  EXPECT_EQ(window.packets(), 3);
}

TEST(DelayEstimate, IsThatOfRfc6298) {
  DelayEstimate estimate;
  EXPECT_FALSE(estimate.time_out());
  estimate.sample(100ms);
  EXPECT_EQ(estimate.time_out(), 300ms);  // 100 + 4 * 50
  estimate.sample(60ms);
  EXPECT_EQ(estimate.smoothed(), 95ms);          // 7/8 * 100 + 1/8 * 60
  EXPECT_EQ(estimate.time_out(), 95ms + 190ms);  // variation: 3/4 * 50 + 1/4 * 40
  for (int i = 0; i < 200; ++i) estimate.sample(20ms);
  EXPECT_NEAR(to_seconds(*estimate.time_out()), 0.021, 0.0005);
}

/// A path that delivers a packet each `between`, and a sender that always has `window` packets on their way.
DeliveryRate delivering(Duration between, std::size_t window, int count) {
  DeliveryRate delivery;
  std::deque<SentPacket> on_the_way;
  TimePoint now{1s};
  for (int i = 0; i < count; ++i, now += between) {
    while (on_the_way.size() < window) {
      const InFlight before{on_the_way.size(), {}};
      on_the_way.push_back({PathSequence{}, kSize, now, delivery.mark(before, now)});
    }
    if (i < static_cast<int>(window)) continue;  // the first round trip
    delivery.arrived({&on_the_way.front(), 1}, now);
    on_the_way.pop_front();
  }
  return delivery;
}

TEST(DeliveryRate, IsTheRateOfThePathWhateverIsSentAtOnce) {
  for (const std::size_t window : {4U, 20U}) {
    EXPECT_NEAR(*delivering(10ms, window, 300).rate() / 800_kbps, 1, 0.02) << window;
  }
}

TEST(DeliveryRate, OfASenderWithLittleToSendCountsOnlyIfItIsHigher) {
  DeliveryRate delivery = delivering(10ms, 10, 100);
  const DataRate before = *delivery.rate();
  TimePoint now{10s};
  for (int i = 0; i < 100; ++i, now += 100ms) {
    delivery.left_idle({});
    const SentPacket lone{PathSequence{}, kSize, now, delivery.mark({}, now)};
    delivery.arrived({&lone, 1}, now + 20ms);
  }
  EXPECT_EQ(delivery.rate(), before);
}

TEST(DeliveryRate, ForgetsAfterTenRoundTrips) {
  DeliveryRate delivery = delivering(1ms, 10, 100);
  TimePoint now{10s};
  for (int i = 0; i < 13; ++i, now += 100ms) {
    const SentPacket lone{PathSequence{}, kSize, now, delivery.mark({}, now)};
    delivery.arrived({&lone, 1}, now + 100ms);
  }
  EXPECT_NEAR(*delivery.rate() / 80_kbps, 1, 0.01);
}

PathNews news_of(const SentPacket& arrived, DataRate rate, const InFlight& in_flight = {}) {
  return {{&arrived, 1}, {}, in_flight, 0ms, 50ms, rate, true};
}

TEST(PacedWindow, LeavesTheStartWhenTheRateRisesNoMore) {
  PacedWindow window;
  const SentPacket arrived{PathSequence{}, kSize, TimePoint{}};
  TimePoint now{};
  const InFlight much{100, 100_kB};
  for (const DataRate rate : {1_Mbps, 2_Mbps, 4_Mbps, 5_Mbps, 5_Mbps}) {
    window.take_in(news_of(arrived, rate, much), now += 50ms);
    EXPECT_EQ(window.phase(), PacedWindow::Phase::kStart);
    EXPECT_GE(window.pace(), 2.7 * rate);
  }
  window.take_in(news_of(arrived, 5_Mbps, much), now += 50ms);
  window.take_in(news_of(arrived, 5_Mbps, much), now += 50ms);
  EXPECT_EQ(window.phase(), PacedWindow::Phase::kDrain);
  EXPECT_LT(window.pace(), 2_Mbps);
  window.take_in(news_of(arrived, 5_Mbps, {1, 1_kB}), now += 50ms);
  EXPECT_EQ(window.phase(), PacedWindow::Phase::kCruise);
  EXPECT_EQ(window.pace(), 5_Mbps);
}

TEST(PacedWindow, APathThatIsLeftIdleStaysInItsStartUntilAQueueStandsInIt) {
  PacedWindow window;
  const SentPacket arrived{PathSequence{}, kSize, TimePoint{}, {.delivered = {}, .idle_path = true}};
  TimePoint now{};
  for (int i = 0; i < 8; ++i) window.take_in(news_of(arrived, 2_Mbps), now += 50ms);
  EXPECT_EQ(window.phase(), PacedWindow::Phase::kStart);
  EXPECT_EQ(window.likely_rate(2_Mbps), 4_Mbps);
  PathNews news = news_of(arrived, 2_Mbps, {20, 20_kB});
  news.round_is_over = false;
  for (const Duration queue : {10ms, 10ms, 1ms, 10ms, 10ms, 10ms, 10ms, 10ms, 10ms, 10ms}) {
    news.queue = queue;
    window.take_in(news, now += 1ms);
  }
  EXPECT_EQ(window.phase(), PacedWindow::Phase::kStart) << "one of them met none";
  window.take_in(news_of(arrived, 2_Mbps, {20, 20_kB}), now += 1ms);
  for (int i = 0; i < 9; ++i) window.take_in(news, now += 1ms);
  EXPECT_EQ(window.phase(), PacedWindow::Phase::kStart) << "one that met none began the round";
  news.round_is_over = true;
  window.take_in(news, now += 1ms);
  news.round_is_over = false;
  for (int i = 0; i < 7; ++i) window.take_in(news, now += 1ms);
  EXPECT_EQ(window.phase(), PacedWindow::Phase::kDrain);
}

TEST(PacedWindow, SmallPacketsLeaveRoomForALargeOne) {
  PacedWindow window;
  for (int i = 0; i < 500; ++i) window.sent(DataSize{80}, {}, TimePoint{});
  const SentPacket arrived{PathSequence{}, DataSize{80}, TimePoint{}};
  window.take_in(news_of(arrived, 10_kbps), TimePoint{1s});
  EXPECT_TRUE(window.opens_at(DataSize{9'000}, {}, TimePoint{2s}));
}

TEST(WayThere, IsMeasuredByClocksThatDoNotAgree) {
  const auto at = [](Duration time) { return sent_time(TimePoint{time}); };
  for (const Duration apart : {Duration{-36min}, Duration{-1s}, Duration{}, Duration{36min}, Duration{71min}}) {
    WayThere way;
    TimePoint now{2h};
    for (const auto& [left, took, queue] :
         {std::tuple{0ms, 30ms, 0ms}, {20ms, 42ms, 12ms}, {40ms, 25ms, 0ms}, {60ms, 30ms, 5ms}}) {
      EXPECT_EQ(way.queue(at(2h + left), at(2h + apart + left + took), now += 20ms), queue) << to_seconds(apart);
    }
  }
}

TEST(PacedWindow, AfterATryItHoldsBackUntilTheQueueIsGone) {
  PacedWindow window;
  const SentPacket arrived{PathSequence{}, kSize, TimePoint{}};
  TimePoint now{};
  const auto round_trip = [&](const InFlight& in_flight) {
    window.take_in(news_of(arrived, 8_Mbps, in_flight), now += 60ms);
  };
  const auto held_back_for = [&](const InFlight& in_flight) {
    while (window.pace() <= 8_Mbps) round_trip({});
    round_trip({});
    int round_trips = 0;
    for (; window.holds_back(); ++round_trips) round_trip(in_flight);
    return round_trips;
  };
  for (int i = 0; i < 8; ++i) round_trip({});
  EXPECT_EQ(held_back_for({40, 40_kB}), 1);  // 50 kB fill the path
  EXPECT_EQ(held_back_for({70, 70_kB}), 4);
}

TEST(PacedWindow, PacketsLeaveAtItsPace) {
  PacedWindow window;
  const SentPacket arrived{PathSequence{}, kSize, TimePoint{}};
  window.take_in(news_of(arrived, 8_Mbps), TimePoint{});
  TimePoint now{1s};
  for (int i = 0; i < 10; ++i) {
    now = *window.opens_at(kSize, {}, now);
    window.sent(kSize, {}, now);
  }
  // The first three may leave at once (2 ms of catching up); each takes 1000 bytes at 2.77 * 8 Mbit/s.
  EXPECT_NEAR(to_seconds(now - TimePoint{1s}), 9 * 0.361e-3 - 2e-3, 0.2e-3);
}

TEST(PacedWindow, HasAboutTwoFullPathsOnTheirWay) {
  PacedWindow window;
  const SentPacket arrived{PathSequence{}, kSize, TimePoint{}};
  TimePoint now{};
  for (int i = 0; i < 8; ++i) window.take_in(news_of(arrived, 8_Mbps), now += 60ms);
  ASSERT_EQ(window.phase(), PacedWindow::Phase::kCruise);
  EXPECT_TRUE(window.opens_at(kSize, {90, 90_kB}, now));  // 8 Mbit/s * 50 ms: 50 kB
  EXPECT_FALSE(window.opens_at(kSize, {110, 110_kB}, now));
}

TEST(PacedWindow, ALossInFiftyIsNothingAndAFifthIsTooMuch) {
  const auto pace_after = [](std::size_t lost_of_50) {
    PacedWindow window;
    TimePoint now{};
    const SentPacket arrived{PathSequence{}, kSize, TimePoint{}};
    for (int i = 0; i < 8; ++i) window.take_in(news_of(arrived, 8_Mbps), now += 60ms);
    const std::vector<SentPacket> packets(50, arrived);
    for (int i = 0; i < 8; ++i) {
      window.take_in({.arrived = std::span{packets}.subspan(lost_of_50),
                      .lost = std::span{packets}.first(lost_of_50),
                      .in_flight = {},
                      .least_delay = 50ms,
                      .rate = 8_Mbps,
                      .round_is_over = true},
                     now += 1ms);
    }
    return window.pace();
  };
  EXPECT_EQ(pace_after(1), pace_after(0));
  EXPECT_LT(pace_after(10), 0.5 * pace_after(0));
}

}  // namespace
}  // namespace tributary::bonding
