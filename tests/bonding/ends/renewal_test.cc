#include <gtest/gtest.h>

#include <set>

#include "simulated_tunnel.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::NumberedStream;
using testing::SimulatedTunnel;

/// A tunnel with a stream to the client, of which the keys that were used each way are noted.
class RenewalTest : public ::testing::Test {
 protected:
  RenewalTest() {
    tunnel.to_relay = [this](const OutgoingDatagram& datagram) { return look(datagram, of_client); };
    tunnel.to_client = [this](const OutgoingDatagram& datagram) { return look(datagram, of_relay); };
    tunnel.connect();
  }
  bool look(const OutgoingDatagram& datagram, std::vector<KeyGeneration>& used) {
    if (const auto header = read_header(datagram.bytes)) {
      if (used.empty() || used.back() != header->generation) used.push_back(header->generation);
      newest = datagram.bytes;
      return true;
    }
    return kind_of(datagram.bytes) != swallowed;
  }
  std::size_t missing_until(TimePoint end) {
    NumberedStream stream{tunnel, 0.4_Mbps, DataSize{1000}};
    const TimePoint begin = tunnel.now;
    stream.run_until(end);
    EXPECT_FALSE(stream.twice());
    return stream.missing(begin, end);
  }

  SimulatedTunnel tunnel{"a 5Mbps 20ms; b 5Mbps 60ms"};
  std::vector<KeyGeneration> of_client, of_relay;  // as they followed each other, packet by packet
  std::optional<DatagramKind> swallowed;
  Bytes newest;
};

const std::vector<KeyGeneration> kThree{KeyGeneration{0}, KeyGeneration{1}, KeyGeneration{2}};

TEST_F(RenewalTest, EveryTwoMinutesThereAreNewKeysAndNoPacketIsLost) {
  EXPECT_EQ(missing_until(tunnel.now + 5min), 0U);
  EXPECT_EQ(of_client, kThree);
  EXPECT_EQ(of_relay, kThree);
  EXPECT_EQ(tunnel.relay.connections(), 1U);
}

TEST_F(RenewalTest, PacketsOfTheOldKeysAreTakenInForAMinute) {
  Bytes old;
  tunnel.to_client = [&](const OutgoingDatagram& datagram) {
    const auto header = read_header(datagram.bytes);
    const bool hold = header && header->generation == KeyGeneration{0} && tunnel.now > TimePoint{110s} && old.empty();
    if (hold) old = datagram.bytes;
    return !hold;
  };
  missing_until(TimePoint{125s});
  const auto keys = tunnel.client.connection()->keys();
  EXPECT_EQ(keys->sealing(), KeyGeneration{1});
  ASSERT_FALSE(old.empty());
  EXPECT_TRUE(keys->open(KeyRing::Use::kDatagrams, *read_header(old), old));
  missing_until(TimePoint{190s});
  EXPECT_FALSE(keys->open(KeyRing::Use::kDatagrams, *read_header(old), old));
}

class LostRenewalTest : public RenewalTest, public ::testing::WithParamInterface<DatagramKind> {};

TEST_P(LostRenewalTest, IsTriedAgainWhileTheOldKeysGoOn) {
  swallowed = GetParam();
  EXPECT_EQ(missing_until(TimePoint{150s}), 0U);
  EXPECT_EQ(of_relay, std::vector{KeyGeneration{0}});
  EXPECT_EQ(of_client, std::vector{KeyGeneration{0}});
  swallowed.reset();
  EXPECT_EQ(missing_until(TimePoint{160s}), 0U);
  EXPECT_EQ(of_relay.back(), KeyGeneration{1});
  EXPECT_EQ(of_client.back(), KeyGeneration{1});
  EXPECT_EQ(tunnel.relay.connections(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Of, LostRenewalTest,
                         ::testing::Values(DatagramKind::kHello, DatagramKind::kRetry, DatagramKind::kWelcome));

/// Somebody on the way who lets no handshake pass cannot make the keys last for ever.
TEST_F(RenewalTest, AConnectionWithoutNewKeysEndsAndAnotherBegins) {
  swallowed = DatagramKind::kHello;
  missing_until(TimePoint{7min});
  EXPECT_EQ(tunnel.relay.connections(), 0U);
  swallowed.reset();
  missing_until(TimePoint{8min});
  EXPECT_EQ(tunnel.relay.connections(), 1U);
  EXPECT_EQ(missing_until(TimePoint{9min}), 0U);
}

TEST_F(RenewalTest, ARelayThatBeganAnewAfterwardsIsFoundAgain) {
  missing_until(TimePoint{130s});
  tunnel.relay =
      RelayEnd{{.identity = tunnel.identity, .clients = {{tunnel.client_identity.own.public_key(), "client"}}}};
  missing_until(TimePoint{160s});
  EXPECT_EQ(tunnel.relay.connections(), 1U);
  EXPECT_EQ(missing_until(TimePoint{6min}), 0U);
}

TEST(Assignments, ThatNoClientCanHaveAreNotBelieved) {
  SimulatedTunnel tunnel{"a 5Mbps 20ms"};
  tunnel.relay = RelayEnd{{.identity = tunnel.identity,
                           .clients = {{tunnel.client_identity.own.public_key(), "client"}},
                           .network = {.ipv4 = {std::byte{127}}}}};
  tunnel.client.link_up(PathId{0}, tunnel.now);
  tunnel.run_until(tunnel.now + 3s);
  EXPECT_FALSE(tunnel.client.assignment());
  EXPECT_GT(tunnel.client.refused_assignments(), 0);
}

}  // namespace
}  // namespace tributary::bonding
