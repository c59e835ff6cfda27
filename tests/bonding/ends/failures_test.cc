#include <gtest/gtest.h>

#include "simulated_tunnel.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::NumberedStream;
using testing::SimulatedTunnel;

constexpr DataSize kPacket{1280};
constexpr DataRate kStream = 2_Mbps;  // which either link carries by itself

/// Of a stream of 15 s.
void expect_nothing_held_up(const NumberedStream& stream) {
  EXPECT_LT(stream.longest_gap(TimePoint{3s}, TimePoint{15s}), 1s);
  EXPECT_LT(stream.longest_delay(), 1s);
  EXPECT_EQ(stream.missing(TimePoint{}, TimePoint{15s}), 0U);
  EXPECT_FALSE(stream.twice());
}

TEST(Failures, ABlackholeThatGoesAgainHoldsNothingUpForASecond) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms, down 6s..10s"};
  tunnel.connect();
  NumberedStream stream{tunnel, kStream, kPacket};
  stream.run_until(TimePoint{15s});
  expect_nothing_held_up(stream);
  EXPECT_TRUE(tunnel.client.connection()->paths().at(PathId{1}).is_alive());
}

/// As above, with the link that everything goes over: its round trip is the shorter one.
TEST(Failures, ABlackholeOfTheBestLinkHoldsNothingUpForASecond) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms, down 6s..10s; b 5Mbps 60ms"};
  tunnel.connect();
  NumberedStream stream{tunnel, kStream, kPacket};
  stream.run_until(TimePoint{15s});
  expect_nothing_held_up(stream);
}

TEST(Failures, AfterABlackholeBothLinksCarryAgain) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms, down 6s..10s"};
  tunnel.connect();
  NumberedStream stream{tunnel, 8_Mbps, kPacket};
  stream.run_until(TimePoint{20s});
  EXPECT_GT(stream.rate(TimePoint{4s}, TimePoint{6s}), 7_Mbps);
  EXPECT_GT(stream.rate(TimePoint{7s}, TimePoint{10s}), 4_Mbps);
  EXPECT_GT(stream.rate(TimePoint{13s}, TimePoint{20s}), 7_Mbps);
}

TEST(Failures, ALinkThatIsTakenAwayIsLeftAtOnce) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms, down 6s..12s; b 5Mbps 60ms"};
  tunnel.connect();
  tunnel.at(TimePoint{6s}, [&] { tunnel.client.link_down(PathId{0}, tunnel.now); });
  tunnel.at(TimePoint{12s}, [&] { tunnel.client.link_up(PathId{0}, tunnel.now); });
  NumberedStream stream{tunnel, kStream, kPacket};
  stream.run_until(TimePoint{15s});
  EXPECT_LT(stream.longest_gap(TimePoint{3s}, TimePoint{15s}), 1s);
  EXPECT_EQ(stream.missing(TimePoint{}, TimePoint{15s}), 0U);
  EXPECT_TRUE(tunnel.client.connection()->paths().at(PathId{0}).is_alive());
}

/// Without what the client tells, the relay would notice after two time-outs, and ask the path 2 s after that.
TEST(Failures, TheRelayLeavesALinkAtOnceThatItsClientHasLost) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 20ms"};
  tunnel.connect();
  const auto alive_at_relay = [&] {
    return tunnel.relay.connection(tunnel.client.connection()->id())->paths().at(PathId{0}).is_alive();
  };
  EXPECT_TRUE(alive_at_relay());
  tunnel.client.link_down(PathId{0}, tunnel.now);
  tunnel.run_until(tunnel.now + 11ms);
  EXPECT_FALSE(alive_at_relay());
  tunnel.client.link_up(PathId{0}, tunnel.now);
  tunnel.run_until(tunnel.now + 41ms);
  EXPECT_TRUE(alive_at_relay());
}

TEST(Failures, AllLinksAwayForAWhile) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms, down 6s..9s; b 5Mbps 60ms, down 6s..9s"};
  tunnel.connect();
  NumberedStream stream{tunnel, kStream, kPacket};
  stream.run_until(TimePoint{20s});
  EXPECT_EQ(stream.missing(TimePoint{12s}, TimePoint{20s}), 0U);
  EXPECT_GE(stream.rate(TimePoint{12s}, TimePoint{20s}), 0.95 * kStream);
}

TEST(Failures, ALinkThatLosesPacketsIsStillUsed) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms, loss 2%; b 5Mbps 20ms, loss 2%"};
  tunnel.connect();
  NumberedStream stream{tunnel, 8_Mbps, kPacket};
  stream.run_until(TimePoint{15s});
  EXPECT_GT(stream.rate(TimePoint{5s}, TimePoint{15s}), 7.5_Mbps);
  EXPECT_LT(stream.longest_gap(TimePoint{3s}, TimePoint{15s}), 200ms);
}

TEST(Failures, ThePathStaysWhenTheNatForgetsIt) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms"};
  tunnel.connect();
  tunnel.at(TimePoint{5s}, [&] { tunnel.rebind(0); });
  // The client's packets show the new address.
  for (int i = 0; i < 200; ++i) {
    tunnel.at(TimePoint{3s} + i * 50ms, [&] { tunnel.client.packet(Bytes(100), tunnel.now); });
  }
  NumberedStream stream{tunnel, kStream, kPacket};
  stream.run_until(TimePoint{10s});
  EXPECT_LT(stream.longest_gap(TimePoint{3s}, TimePoint{10s}), 1s);
  // The client shows itself within 50 ms, and the challenge takes a round trip: what went to the old address is lost.
  EXPECT_EQ(stream.missing(TimePoint{}, TimePoint{5s}), 0U);
  EXPECT_EQ(stream.missing(TimePoint{5100ms}, TimePoint{10s}), 0U);
}

TEST(Failures, WithoutTrafficAKeepAliveFindsThatTheNatHasForgotten) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms"};
  tunnel.connect();
  tunnel.rebind(0);
  tunnel.run_until(tunnel.now + 40s);
  NumberedStream stream{tunnel, kStream, kPacket};
  const TimePoint begin = tunnel.now;
  stream.run_until(begin + 2s);
  EXPECT_EQ(stream.missing(begin, begin + 2s), 0U);
}

TEST(Failures, ARelayThatBeginsAnewWelcomesItsClients) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms"};
  tunnel.connect();
  const ConnectionId before = tunnel.client.assignment()->connection;
  tunnel.relay =
      RelayEnd{{.identity = tunnel.identity, .clients = {{tunnel.client_identity.own.public_key(), "client"}}}};
  // Something has to go out, or the first keep-alive tells.
  tunnel.run_until(tunnel.now + 45s);
  ASSERT_NE(tunnel.client.assignment()->connection, before);
  NumberedStream stream{tunnel, kStream, kPacket};
  const TimePoint begin = tunnel.now;
  stream.run_until(begin + 2s);
  EXPECT_EQ(stream.missing(begin, begin + 2s), 0U);
}

TEST(Failures, PacketsTooLargeForALinkGoOverTheOther) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms"};
  const auto fits = [](const OutgoingDatagram& datagram) {
    return datagram.path != PathId{0} || size_of(datagram.bytes) <= PathMtu::kAlways;
  };
  tunnel.to_relay = fits;
  // The relay's socket is one: its datagrams are told apart by where they go.
  tunnel.to_client = [&](const OutgoingDatagram& datagram) {
    return datagram.to != tunnel.address_of(0) || size_of(datagram.bytes) <= PathMtu::kAlways;
  };
  tunnel.connect();
  NumberedStream stream{tunnel, kStream, kPacket};
  const TimePoint begin = tunnel.now;
  stream.run_until(begin + 5s);
  EXPECT_EQ(stream.missing(begin, begin + 5s), 0U);
}

}  // namespace
}  // namespace tributary::bonding
