#include <gtest/gtest.h>

#include "reno_connection.hh"
#include "simulated_tunnel.hh"
#include "simulation/thesis_dynamics.hh"
#include "support/sweep.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::numbered_packet;
using testing::NumberedStream;
using testing::RenoConnection;
using testing::SimulatedTunnel;

constexpr DataSize kFullPacket{1280};

/// What inner packets can get of links with this rate in all.
DataRate payload_capacity(DataRate links) {
  return kFullPacket / (datagram_size(kFullPacket) + SimulatedTunnel::kHeaders) * links;
}

BondingOptions options_for(const char* scheduler) {
  BondingOptions options;
  options.scheduler = scheduler;
  const bool ours = scheduler_kind(scheduler).window == WindowKind::kPaced;
  options.resequencer = ours ? ResequencerKind::kBounded : ResequencerKind::kThesis;
  return options;
}

/// 10 Mbit/s, as in the thesis (section 5.1.2); the first quarter does not count.
struct Outcome {
  DataRate rate;
  double in_order = 0;
};
Outcome stream_over(std::vector<LinkScenario> links, const BondingOptions& options, Duration length = 8s) {
  SimulatedTunnel tunnel{std::move(links), options, options};
  tunnel.connect();
  NumberedStream stream{tunnel, 10_Mbps, kFullPacket};
  const TimePoint begin = tunnel.now;
  stream.run_until(begin + length);
  EXPECT_FALSE(stream.twice());
  return {stream.rate(begin + length / 4, begin + length), stream.in_order_share()};
}
Outcome stream_over(const char* links, const BondingOptions& options) {
  return stream_over(parse_scenario(links), options);
}

TEST(Rates, OfSplitsFrom5To5To8To2) {
  for (const char* links : {"a 5Mbps 20ms; b 5Mbps 20ms", "a 6Mbps 20ms; b 4Mbps 20ms", "a 7Mbps 20ms; b 3Mbps 20ms",
                            "a 8Mbps 20ms; b 2Mbps 20ms"}) {
    const Outcome outcome = stream_over(links, {});
    EXPECT_GE(outcome.rate, 0.9 * payload_capacity(10_Mbps)) << links;
    EXPECT_GE(outcome.in_order, 0.95) << links;
  }
}

TEST(Rates, OfRoundTripsUpTo10To100) {
  for (const char* links :
       {"a 5Mbps 10ms; b 5Mbps 50ms", "a 5Mbps 10ms; b 5Mbps 100ms", "a 8Mbps 10ms; b 2Mbps 100ms"}) {
    const Outcome outcome = stream_over(links, {});
    EXPECT_GE(outcome.rate, 0.9 * payload_capacity(10_Mbps)) << links;
    EXPECT_GE(outcome.in_order, 0.95) << links;
  }
}

/// Thesis figures 5.10 and 5.14: 6.92 Mbit/s, and 6.88 of 6.92 in order, where the faster link alone gives 4.72.
TEST(Rates, OfLinksThatChange) {
  const Outcome outcome = stream_over(thesis_dynamics(1, 10_Mbps), {}, 60s);
  EXPECT_GT(outcome.rate, 6.92_Mbps);
  EXPECT_GT(outcome.in_order, 0.95);
}

TEST(Rates, OfOneConnectionOfTcp) {
  const auto rate_over = [](const char* links) {
    SimulatedTunnel tunnel{links};
    tunnel.connect();
    RenoConnection connection{tunnel, kFullPacket};
    connection.run_until(tunnel.now + 5s);
    return connection.run_until(tunnel.now + 25s);
  };
  for (const char* links :
       tributary::testing::of_sweep<const char*>(2, {"a 5Mbps 10ms; b 5Mbps 100ms", "a 8Mbps 10ms; b 2Mbps 10ms",
                                                     "a 5Mbps 10ms; b 5Mbps 50ms", "a 5Mbps 10ms; b 5Mbps 10ms"})) {
    EXPECT_GE(rate_over(links) / payload_capacity(10_Mbps), 0.85) << links;
  }
  EXPECT_GE(rate_over("a 30Mbps 20ms; b 20Mbps 60ms") / payload_capacity(50_Mbps), 0.85);
}

/// Numbered packets of the client at a constant rate, and the rate at which they come to the relay.
DataRate upload(SimulatedTunnel& tunnel, DataRate rate, Duration length) {
  DataSize came;
  tunnel.client_got = [](const Bytes&) {};
  tunnel.relay_got = [&](const Bytes& packet) { came += size_of(packet); };
  const TimePoint begin = tunnel.now, end = begin + length;
  std::uint32_t number = 0;
  const std::function<void()> send = [&] {
    const auto size = static_cast<std::size_t>(kFullPacket.bytes());
    tunnel.client.packet(numbered_packet(number++, tunnel.client.assignment()->ipv4, {}, size), tunnel.now);
    if (tunnel.now + kFullPacket / rate < end) tunnel.at(tunnel.now + kFullPacket / rate, send);
  };
  send();
  tunnel.run_until(end);
  tunnel.relay_got = [](const Bytes&) {};
  return came / length;
}

/// What a download taught the slower link says nothing of its other direction, over which only acknowledgements went.
TEST(Rates, OfAnUploadAfterADownload) {
  SimulatedTunnel tunnel{"a 16Mbps 20ms; b 8Mbps 60ms"};
  tunnel.connect();
  RenoConnection connection{tunnel, kFullPacket};
  connection.run_until(tunnel.now + 10s);
  tunnel.client.link_down(PathId{0}, tunnel.now);
  upload(tunnel, 9_Mbps, 500ms);  // a start in a few round trips
  EXPECT_GE(upload(tunnel, 9_Mbps, 2s) / payload_capacity(8_Mbps), 0.9);
}

TEST(Rates, OfAnUploadOverAllLinksAfterADownload) {
  const auto rate_after = [](Duration download) {
    SimulatedTunnel tunnel{"a 16Mbps 20ms; b 8Mbps 60ms"};
    tunnel.connect();
    RenoConnection connection{tunnel, kFullPacket};
    connection.run_until(tunnel.now + download);
    upload(tunnel, 23_Mbps, 500ms);
    return upload(tunnel, 23_Mbps, 3s);
  };
  const DataRate alone = rate_after(0s);
  EXPECT_GE(alone / payload_capacity(24_Mbps), 0.9);
  EXPECT_GE(rate_after(10s) / alone, 0.95);
}

/// The first train leaves at once, with what passes each path, and not only when it is known how much that is.
TEST(Rates, AreMeasuredByTheFirstTrain) {
  const BondingOptions options = options_for("send-vector");
  SimulatedTunnel tunnel{parse_scenario("a 7Mbps 20ms; b 3Mbps 20ms"), options, options};
  for (const PathId path : {PathId{0}, PathId{1}}) tunnel.client.link_up(path, tunnel.now);
  tunnel.run_until(tunnel.now + 300ms);
  ASSERT_TRUE(tunnel.client.connection());
  const auto rate_of = [&](PathId path) {
    return tunnel.client.connection()->paths().at(path).sender.view(kFullPacket, tunnel.now).rate.value_or(DataRate{});
  };
  EXPECT_NEAR(rate_of(PathId{0}) / 7_Mbps, 0.97, 0.03);
  EXPECT_NEAR(rate_of(PathId{1}) / 3_Mbps, 0.97, 0.03);
}

/// The cars of these trains come within 2 ms.
TEST(Rates, AreMeasuredByTheTimesAtWhichCarsCameAndNotAtWhichTheyAreTakenIn) {
  const BondingOptions options = options_for("send-vector");
  SimulatedTunnel tunnel{parse_scenario("a 70Mbps 20ms; b 50Mbps 20ms"), options, options};
  tunnel.wakes_every = 1ms;
  for (const PathId path : {PathId{0}, PathId{1}}) tunnel.client.link_up(path, tunnel.now);
  tunnel.run_until(tunnel.now + 300ms);
  ASSERT_TRUE(tunnel.client.connection());
  const auto rate_of = [&](PathId path) {
    return tunnel.client.connection()->paths().at(path).sender.view(kFullPacket, tunnel.now).rate.value_or(DataRate{});
  };
  EXPECT_NEAR(rate_of(PathId{0}) / 70_Mbps, 0.97, 0.03);
  EXPECT_NEAR(rate_of(PathId{1}) / 50_Mbps, 0.97, 0.03);
}

TEST(Rates, OfTheSeedsSchedulers) {
  const auto rate_of = [](const char* scheduler) {
    return stream_over("a 7Mbps 20ms; b 3Mbps 20ms", options_for(scheduler)).rate;
  };
  for (const char* scheduler : {"prism", "free-window", "send-vector", "wrr"}) {
    EXPECT_GE(rate_of(scheduler), 0.9 * payload_capacity(10_Mbps)) << scheduler;
  }
  // Thesis figure 1.6: round robin gives as much as twice the slower link, and what the faster one's half takes beyond it.
  EXPECT_LT(rate_of("round-robin"), 0.85 * payload_capacity(10_Mbps));
  const DataRate one_path = rate_of("one-path");
  EXPECT_LE(one_path, 1.01 * payload_capacity(7_Mbps));
  EXPECT_GE(one_path, 0.8 * payload_capacity(7_Mbps));
}

}  // namespace
}  // namespace tributary::bonding
