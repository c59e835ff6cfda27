#include <gtest/gtest.h>

#include "simulated_crowd.hh"

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;
using testing::SimulatedCrowd;

const PeerAddress kAnywhere{{std::byte{0xff}, std::byte{0xff}}, 666};

TEST(Crowd, AThousandClientsConnectAtOnce) {
  SimulatedCrowd crowd{1000};
  for (std::size_t client = 0; client < 1000; ++client) crowd.begin(client);
  crowd.run_until(crowd.now + 2s);
  EXPECT_EQ(crowd.connected(), 1000U);
  EXPECT_EQ(crowd.relay.clients(), 1000U);
}

TEST(Crowd, OneClientHasFourConnectionsHoweverOftenItBegins) {
  SimulatedCrowd crowd{2};
  for (int i = 0; i < 300; ++i) {
    crowd.begin(0);
    crowd.run_until(crowd.now + 10ms);
    ASSERT_LE(crowd.relay.connections(), RelayEnd::kMostOfClient);
  }
  const ClientEnd& other = crowd.begin(1);
  crowd.run_until(crowd.now + 100ms);
  EXPECT_TRUE(other.assignment());
  EXPECT_EQ(crowd.relay.clients(), 2U);
}

TEST(Crowd, AClientWithoutAPlaceTakesOneOfThatWithMost) {
  SimulatedCrowd crowd{502};
  for (int programs = 0; programs < 2; ++programs) {
    for (std::size_t client = 0; client < 500; ++client) crowd.begin(client);
    crowd.run_until(crowd.now + 100ms);
  }
  ASSERT_EQ(crowd.relay.connections(), RelayEnd::kMostConnections);
  const ClientEnd& late = crowd.begin(500);
  crowd.run_until(crowd.now + 100ms);
  EXPECT_TRUE(late.assignment());
  EXPECT_EQ(crowd.relay.connections(), RelayEnd::kMostConnections);
  EXPECT_EQ(crowd.relay.clients(), 501U) << "nobody lost all";
}

/// Its Hello is as old as another one, and gets no answer until it is made anew.
TEST(Crowd, TwoProgramsOfAClientThatBeginTogetherBothConnect) {
  SimulatedCrowd crowd{1};
  crowd.begin(0);
  crowd.begin(0);
  crowd.run_until(crowd.now + 1s);
  EXPECT_EQ(crowd.connected(), 1U);
  crowd.run_until(crowd.now + 20s);
  EXPECT_EQ(crowd.connected(), 2U);
}

TEST(Crowd, ClientsAreForgottenThatNeverGoOn) {
  SimulatedCrowd crowd{1};
  ClientHandshake handshake{crowd.identity(0), {}};
  for (int i = 0; i < 2; ++i) {
    crowd.relay.datagram(kAnywhere, handshake.hello(PathId{}, crowd.now), crowd.now);
    const auto answers = crowd.relay.take_datagrams();
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(handshake.answered(PathId{}, answers.front().bytes, crowd.now).has_value(), i == 1);
  }
  EXPECT_EQ(crowd.relay.connections(), 1U);
  crowd.run_until(crowd.now + 6s);
  EXPECT_EQ(crowd.relay.connections(), 0U);
}

TEST(Crowd, WhoIsTakenFromTheListIsCutOffAtOnceAndTheOthersGoOn) {
  SimulatedCrowd crowd{2};
  const ClientEnd &removed = crowd.begin(0), &kept = crowd.begin(1);
  crowd.run_until(crowd.now + 1s);
  ASSERT_EQ(crowd.relay.clients(), 2U);
  crowd.relay.let_in(crowd.list_without(0), crowd.now);
  EXPECT_EQ(crowd.relay.connection(removed.connection()->id()), nullptr);
  EXPECT_NE(crowd.relay.connection(kept.connection()->id()), nullptr);
  crowd.run_until(crowd.now + 30s);
  EXPECT_FALSE(removed.connection()->is_alive());
  EXPECT_TRUE(kept.connection()->is_alive());
  EXPECT_EQ(crowd.relay.clients(), 1U);
}

TEST(Crowd, WhoIsNotInTheListHearsNothing) {
  SimulatedCrowd crowd{1};
  ClientHandshake handshake{crowd.relay_identity.new_client(), {}};
  crowd.relay.datagram(kAnywhere, handshake.hello(PathId{}, crowd.now), crowd.now);
  EXPECT_TRUE(crowd.relay.take_datagrams().empty());
}

/// From wherever they come, also with the cookie that was for that address.
TEST(Crowd, RecordedHellosGetNoAnswer) {
  SimulatedCrowd crowd{1};
  crowd.records = true;
  crowd.begin(0);
  crowd.run_until(crowd.now + 1s);
  crowd.records = false;
  ASSERT_EQ(crowd.connected(), 1U);
  int hellos = 0;
  for (const auto& [from, bytes] : crowd.recorded) {
    if (kind_of(bytes) != DatagramKind::kHello) continue;
    ++hellos;
    crowd.relay.take_datagrams();
    crowd.relay.datagram(from, bytes, crowd.now);
    crowd.relay.datagram(kAnywhere, bytes, crowd.now);
    EXPECT_TRUE(crowd.relay.take_datagrams().empty());
  }
  EXPECT_EQ(hellos, 2);
  EXPECT_EQ(crowd.relay.connections(), 1U);
}

TEST(Crowd, AWelcomeThatWasLostIsSentAgain) {
  SimulatedCrowd crowd{1};
  ClientHandshake handshake{crowd.identity(0), {}};
  const auto answer = [&] {
    crowd.relay.datagram(kAnywhere, handshake.hello(PathId{}, crowd.now), crowd.now);
    return crowd.relay.take_datagrams().at(0).bytes;
  };
  handshake.answered(PathId{}, answer(), crowd.now);
  const Bytes welcome = answer();
  EXPECT_EQ(kind_of(welcome), DatagramKind::kWelcome);
  EXPECT_EQ(answer(), welcome);
  EXPECT_EQ(crowd.relay.connections(), 1U);
}

}  // namespace
}  // namespace tributary::bonding
