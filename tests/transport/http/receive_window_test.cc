#include "transport/http/receive_window.hh"

#include <gtest/gtest.h>

#include "units/data_rate.hh"

namespace tributary::transport {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr ReceiveWindow::Limits kLimits{.least = 100_kB, .most = 5_MB, .round_trips = 3};

/// After three seconds of bytes at this rate, ten times in each round trip.
DataSize window_at(DataRate rate, Duration round_trip, Duration measured) {
  ReceiveWindow window{kLimits};
  window.on_round_trip(measured);
  TimePoint now{};
  for (; now < TimePoint{3s}; now += round_trip / 10) window.on_bytes(rate * (round_trip / 10), now);
  return window.size();
}

TEST(ReceiveWindow, IsAMultipleOfWhatArrivesWithinARoundTrip) {
  const double bdp = 50e6 / 8 * 0.1;
  EXPECT_NEAR(static_cast<double>(window_at(50_Mbps, 100ms, 100ms).bytes()), 3 * bdp, 0.4 * bdp);
}

TEST(ReceiveWindow, StaysWithinItsLimits) {
  EXPECT_EQ(window_at(1_Mbps, 10ms, 10ms), kLimits.least);
  EXPECT_EQ(window_at(1000_Mbps, 200ms, 200ms), kLimits.most);
}

TEST(ReceiveWindow, DoesNotShrink) {
  ReceiveWindow window{kLimits};
  window.on_round_trip(100ms);
  window.on_bytes(0_B, TimePoint{});
  window.on_bytes(1_MB, TimePoint{100ms});
  EXPECT_EQ(window.size(), 3_MB);
  window.on_bytes(10_kB, TimePoint{10s});
  EXPECT_EQ(window.size(), 3_MB);
}

TEST(ReceiveWindow, DoesNotTakeTheQueueItFillsForThePath) {
  ReceiveWindow window{kLimits};
  window.on_round_trip(100ms);
  window.on_round_trip(900ms);
  window.on_bytes(0_B, TimePoint{});
  window.on_bytes(1_MB, TimePoint{1s});
  EXPECT_EQ(window.size(), 300_kB);
}

}  // namespace
}  // namespace tributary::transport
