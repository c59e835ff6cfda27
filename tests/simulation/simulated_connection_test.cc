#include "simulation/simulated_connection.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr DataSize kRequest{200};

/// One transfer of `size` over a fresh connection: when each byte count was reached.
struct Transfer {
  TimePoint first_byte, last_byte;
  DataSize received;
};

Transfer transfer(const char* scenario_text, DataSize size, std::uint64_t seed = 1) {
  const LinkScenario scenario = parse_scenario(scenario_text).front();
  Bottleneck bottleneck{scenario, seed};
  SimulatedConnection connection{scenario, bottleneck, TimePoint{}};
  connection.ask(kRequest, size, TimePoint{});
  Transfer result;
  for (auto next = connection.next_deadline(); next && result.received < size; next = connection.next_deadline()) {
    const DataSize now_received = connection.advance(*next);
    if (now_received > 0_B && result.received == 0_B) result.first_byte = *next;
    if (now_received > 0_B) result.last_byte = *next;
    result.received += now_received;
  }
  return result;
}

TEST(SimulatedConnection, TheFirstByteTakesTwoRoundTripsAndThePackets) {
  // 100 ms to connect, the request 266 B at 100 Mbit/s, 50 ms, one packet of 1514 B, 50 ms.
  const Transfer t = transfer("a 100Mbps 100ms", 1448_B);
  EXPECT_NEAR(to_seconds(t.first_byte), 0.2 + 266 * 8 / 100e6 + 1514 * 8 / 100e6, 1e-6);
}

TEST(SimulatedConnection, SlowStartDoublesEveryRoundTrip) {
  // 10 + 20 + 40 packets: the 70th arrives two round trips after the first.
  const Transfer first = transfer("a 1000Mbps 100ms", 1448_B);
  const Transfer t = transfer("a 1000Mbps 100ms", 70 * 1448_B);
  EXPECT_NEAR(to_seconds(t.last_byte - first.last_byte), 0.2, 0.003);
}

TEST(SimulatedConnection, ALongTransferFillsTheLink) {
  for (const char* scenario : {"a 3Mbps 20ms", "a 10Mbps 100ms", "a 50Mbps 20ms", "a 0.5Mbps 200ms"}) {
    const DataRate rate = parse_scenario(scenario).front().at(TimePoint{}).rate;
    const DataSize size = rate * Duration{30s};
    const Transfer t = transfer(scenario, size);
    ASSERT_EQ(t.received, size) << scenario;
    // 1448 of 1514 bytes of a frame are content.
    const double share = (size / (t.last_byte - t.first_byte)) / rate;
    EXPECT_GT(share, 0.93) << scenario;
    EXPECT_LE(share, 0.957) << scenario;
  }
}

TEST(SimulatedConnection, EveryByteArrivesOnALossyLink) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(transfer("a 5Mbps 40ms, loss 3%", 2_MB, seed).received, 2_MB) << "seed " << seed;
  }
}

TEST(SimulatedConnection, EveryByteArrivesThroughATinyQueue) {
  EXPECT_EQ(transfer("a 5Mbps 100ms, queue 3", 2_MB).received, 2_MB);
}

TEST(SimulatedConnection, AfterALongIdleTimeTheWindowStartsSmallAgain) {
  const LinkScenario scenario = parse_scenario("a 50Mbps 100ms, queue 1000").front();
  Bottleneck bottleneck{scenario, 1};
  SimulatedConnection connection{scenario, bottleneck, TimePoint{}};
  const auto fetch = [&](TimePoint start) {
    DataSize left = 400_kB;
    connection.ask(kRequest, left, start);
    TimePoint last = start;
    for (auto next = connection.next_deadline(); next && left > 0_B; next = connection.next_deadline()) {
      left -= connection.advance(*next);
      last = *next;
    }
    return last - start;
  };
  TimePoint now = TimePoint{} + fetch(TimePoint{});
  for (int i = 0; i < 5; ++i) now += fetch(now);
  const Duration warm = fetch(now);
  now += warm;
  const Duration cold = fetch(now + 3s);
  EXPECT_LT(warm, 200ms);     // one round trip and 64 ms of packets
  EXPECT_GT(cold, 2 * warm);  // slow start once more
}

}  // namespace
}  // namespace tributary
