#include <gtest/gtest.h>

#include <map>

#include "simulated_tunnel.hh"
#include "units/split_mix.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::NumberedStream;
using testing::SimulatedTunnel;

const PeerAddress kStranger{{std::byte{66}}, 666};

DataSize bytes_to(RelayEnd& relay, const PeerAddress& address) {
  DataSize size;
  for (const OutgoingDatagram& datagram : relay.take_datagrams()) {
    if (datagram.to == address) size += size_of(datagram.bytes);
  }
  return size;
}

/// A tunnel with a stream, whose datagrams in both directions are recorded.
class Recorded {
 public:
  Recorded() {
    tunnel.to_relay = [this](const OutgoingDatagram& datagram) {
      to_relay.push_back(datagram.bytes);
      return true;
    };
    tunnel.to_client = [this](const OutgoingDatagram& datagram) {
      to_client.push_back(datagram.bytes);
      return true;
    };
    tunnel.connect();
    NumberedStream stream{tunnel, 2_Mbps, DataSize{1280}};
    stream.run_until(tunnel.now + 1s);
    tunnel.client_got = [this](const Bytes&) { ++client_got; };
    tunnel.relay_got = [this](const Bytes&) { ++relay_got; };
  }

  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms"};
  std::vector<Bytes> to_relay, to_client;
  int client_got = 0, relay_got = 0;
};

TEST(Attacks, WhatIsSentAgainIsTakenInOnce) {
  Recorded recorded;
  SimulatedTunnel& tunnel = recorded.tunnel;
  for (const Bytes& datagram : recorded.to_relay) tunnel.relay.datagram(kStranger, datagram, tunnel.now);
  for (const Bytes& datagram : recorded.to_client) {
    for (const PathId path : {PathId{0}, PathId{1}}) tunnel.client.datagram(path, datagram, tunnel.now);
  }
  EXPECT_EQ(bytes_to(tunnel.relay, kStranger), DataSize{});
  tunnel.run_until(tunnel.now + 1s);
  EXPECT_EQ(recorded.client_got, 0);
  EXPECT_EQ(recorded.relay_got, 0);
  EXPECT_EQ(tunnel.relay.connections(), 1U);
}

TEST(Attacks, WhatIsForgedOrCutChangesNothing) {
  Recorded recorded;
  SimulatedTunnel& tunnel = recorded.tunnel;
  SplitMix random{7};
  const auto forged = [&](Bytes datagram) {
    switch (random.below(3)) {
      case 0:
        datagram.resize(random.below(static_cast<std::uint32_t>(datagram.size())));
        break;
      case 1:
        datagram.push_back(static_cast<std::byte>(random.next()));
        break;
      default:
        datagram[random.below(static_cast<std::uint32_t>(datagram.size()))] ^= std::byte{1};
        break;
    }
    return datagram;
  };
  for (int i = 0; i < 5'000; ++i) {
    const auto chosen = [&](const std::vector<Bytes>& all) {
      return forged(all[random.below(static_cast<std::uint32_t>(all.size()))]);
    };
    tunnel.relay.datagram(kStranger, chosen(recorded.to_relay), tunnel.now);
    tunnel.client.datagram(PathId{0}, chosen(recorded.to_client), tunnel.now);
  }
  EXPECT_EQ(bytes_to(tunnel.relay, kStranger), DataSize{});
  tunnel.run_until(tunnel.now + 1s);
  EXPECT_EQ(recorded.client_got, 0);
  EXPECT_EQ(recorded.relay_got, 0);
  EXPECT_EQ(tunnel.relay.connections(), 1U);

  NumberedStream stream{tunnel, 2_Mbps, DataSize{1280}};
  const TimePoint begin = tunnel.now;
  stream.run_until(begin + 1s);
  EXPECT_EQ(stream.missing(begin, begin + 1s), 0U);
}

/// Somebody on the way holds back datagrams of the client and sends them from his own address.
TEST(Attacks, AnAddressThatDoesNotAnswerGetsNoMoreThanItSends) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms"};
  tunnel.connect();
  DataSize moved, answered;
  tunnel.to_relay = [&](const OutgoingDatagram& datagram) {
    if (datagram.path != PathId{1}) return true;
    moved += size_of(datagram.bytes);
    tunnel.relay.datagram(kStranger, datagram.bytes, tunnel.now);
    return false;
  };
  tunnel.to_client = [&](const OutgoingDatagram& datagram) {
    if (datagram.to == kStranger) answered += size_of(datagram.bytes);
    return true;
  };
  NumberedStream stream{tunnel, 8_Mbps, DataSize{1280}};
  const TimePoint begin = tunnel.now;
  stream.run_until(begin + 3s);
  EXPECT_GT(moved, DataSize{});
  EXPECT_LE(answered, moved);
  EXPECT_LT(stream.longest_gap(begin, begin + 3s), 1s);
}

TEST(Attacks, AClientSendsFromItsOwnAddressOnly) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms"};
  tunnel.connect();
  int got = 0;
  tunnel.relay_got = [&](const Bytes&) { ++got; };
  const InnerNetwork network;
  const auto own = tunnel.client.assignment()->ipv4;
  const std::array<std::byte, 4> far{std::byte{192}, std::byte{0}, std::byte{2}, std::byte{1}};
  tunnel.client.packet(testing::numbered_packet(1, network.ipv4_of(HostNumber{77}), far, 100), tunnel.now);
  tunnel.client.packet(Bytes(100), tunnel.now);
  tunnel.client.packet(testing::numbered_packet(2, own, far, 100), tunnel.now);
  tunnel.run_until(tunnel.now + 1s);
  EXPECT_EQ(got, 1);
}

}  // namespace
}  // namespace tributary::bonding
