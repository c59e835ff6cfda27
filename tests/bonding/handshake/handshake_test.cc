#include <gtest/gtest.h>

#include "bonding/handshake/client_handshake.hh"
#include "bonding/handshake/key_text.hh"
#include "bonding/handshake/relay_handshake.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr PathId kPath{0};
const PeerAddress kHere{{std::byte{1}}, 1}, kElsewhere{{std::byte{2}}, 1};
const WelcomePayload kAssigned{{ConnectionId{77}, {std::byte{10}}, {std::byte{0xfd}}, 1280_B}, KeyGeneration{2}};
const HelloPayload kPayload{HelloTime{123}, ConnectionId{5}};

/// A relay, and a client of it that makes a connection.
class HandshakeTest : public ::testing::Test {
 protected:
  std::optional<RelayHandshake::Asked> asked(const Bytes& hello, const PeerAddress& from, TimePoint now) {
    auto examined = relay.examine(hello, from, now);
    auto* answer = std::get_if<RelayHandshake::Asked>(&examined);
    return answer == nullptr ? std::nullopt : std::optional{std::move(*answer)};
  }
  Bytes retry_for(const Bytes& hello, const PeerAddress& from, TimePoint now) {
    const auto answer = asked(hello, from, now);
    return answer ? relay.retry(answer->noise.ephemeral(), from, now) : Bytes{};
  }
  bool is_proven(const Bytes& hello, const PeerAddress& from, TimePoint now) {
    const auto answer = asked(hello, from, now);
    return answer && answer->proven;
  }
  Bytes welcome_for(const Bytes& hello) { return relay.welcome(asked(hello, kHere, {})->noise, kAssigned)->welcome; }

  RelayIdentity identity = RelayIdentity::random();
  ClientIdentity known = identity.new_client();
  RelayHandshake relay{identity};
  ClientHandshake client{known, kPayload};
};

TEST_F(HandshakeTest, GivesBothEndsTheSameKeys) {
  EXPECT_FALSE(client.answered(kPath, retry_for(client.hello(kPath, {}), kHere, {}), {}));
  const auto proven = asked(client.hello(kPath, {}), kHere, {});
  ASSERT_TRUE(proven && proven->proven);
  EXPECT_EQ(proven->noise.initiator(), known.own.public_key());
  EXPECT_EQ(proven->payload, kPayload);
  const auto made = relay.welcome(proven->noise, kAssigned);
  const auto welcomed = client.answered(kPath, made->welcome, {});
  ASSERT_TRUE(welcomed);
  EXPECT_EQ(welcomed->welcome.assignment, kAssigned.assignment);
  EXPECT_EQ(welcomed->welcome.generation, kAssigned.generation);
  EXPECT_EQ(welcomed->keys.send, made->keys.receive);
  EXPECT_EQ(welcomed->keys.receive, made->keys.send);
  EXPECT_FALSE(welcomed->keys.send == welcomed->keys.receive);
}

TEST_F(HandshakeTest, GivesOtherKeysEachTime) {
  const auto noise = asked(client.hello(kPath, {}), kHere, {})->noise;
  EXPECT_FALSE(relay.welcome(noise, kAssigned)->keys.send == relay.welcome(noise, kAssigned)->keys.send);
}

TEST_F(HandshakeTest, OnlyThatRelayCanAnswer) {
  const Bytes hello = client.hello(kPath, {});
  RelayIdentity other = RelayIdentity::random();
  EXPECT_TRUE(std::holds_alternative<RelayHandshake::Ignored>(RelayHandshake{other}.examine(hello, kHere, {})));
  // Another client has all that the clients of this relay have: its public key.
  const ClientIdentity neighbour = identity.new_client();
  EXPECT_EQ(neighbour.relay, known.relay);
  EXPECT_FALSE(neighbour.shared == known.shared);
  EXPECT_FALSE(
      NoiseResponder::answering(neighbour.own, handshake_prologue(), read_hello(hello, hashes_of(known.relay))->noise));
  // It can make the client believe in a cookie, no more.
  EXPECT_FALSE(client.answered(
      kPath, write_retry(Tag{}, read_hello(hello, hashes_of(known.relay))->ephemeral, hashes_of(known.relay)), {}));
  EXPECT_FALSE(is_proven(client.hello(kPath, {}), kHere, {}));
}

TEST_F(HandshakeTest, WithoutThePublicKeyOfTheRelayThereIsNoHello) {
  ClientIdentity stranger = known;
  stranger.relay = KeyPair::random().public_key();
  ClientHandshake handshake{stranger, kPayload};
  EXPECT_TRUE(std::holds_alternative<RelayHandshake::Ignored>(relay.examine(handshake.hello(kPath, {}), kHere, {})));
}

TEST_F(HandshakeTest, ACookieIsForOneAddressAndOneKeyAndTwoMinutes) {
  ClientHandshake other{known, kPayload};
  client.answered(kPath, retry_for(client.hello(kPath, {}), kHere, {}), {});
  const Bytes hello = client.hello(kPath, {});
  EXPECT_TRUE(is_proven(hello, kHere, TimePoint{59s}));
  EXPECT_FALSE(is_proven(hello, kElsewhere, TimePoint{59s}));
  EXPECT_FALSE(is_proven(other.hello(kPath, {}), kHere, TimePoint{59s}));
  EXPECT_TRUE(is_proven(hello, kHere, TimePoint{61s}));
  EXPECT_FALSE(is_proven(hello, kHere, TimePoint{121s}));
}

TEST_F(HandshakeTest, EachPathHasItsCookie) {
  client.answered(PathId{0}, retry_for(client.hello(PathId{0}, {}), kHere, {}), {});
  client.answered(PathId{1}, retry_for(client.hello(PathId{1}, {}), kElsewhere, {}), {});
  EXPECT_TRUE(is_proven(client.hello(PathId{0}, {}), kHere, {}));
  EXPECT_TRUE(is_proven(client.hello(PathId{1}, {}), kElsewhere, {}));
}

TEST_F(HandshakeTest, EachAnswerIsSmallerThanItsHello) {
  const Bytes hello = client.hello(kPath, {});
  EXPECT_LT(retry_for(hello, kHere, {}).size(), hello.size());
  EXPECT_LT(welcome_for(hello).size(), hello.size());
}

TEST_F(HandshakeTest, ChangedDatagramsAreRefused) {
  const Bytes hello = client.hello(kPath, {});
  const Bytes retry = retry_for(hello, kHere, {}), welcome = welcome_for(hello);
  const auto changed = [](Bytes datagram, std::size_t byte) {
    datagram[byte] ^= std::byte{8};
    return datagram;
  };
  for (std::size_t byte = 0; byte < hello.size(); ++byte) {
    EXPECT_FALSE(asked(changed(hello, byte), kHere, {})) << byte;
    EXPECT_FALSE(read_hello(ByteSpan{hello}.first(byte), hashes_of(known.relay)));
  }
  for (std::size_t byte = 0; byte < retry.size(); ++byte) {
    client.answered(kPath, changed(retry, byte), {});
    client.answered(kPath, ByteSpan{retry}.first(byte), {});
  }
  EXPECT_EQ(client.hello(kPath, {}), hello) << "no cookie was taken";
  for (std::size_t byte = 0; byte < welcome.size(); ++byte) {
    EXPECT_FALSE(client.answered(kPath, changed(welcome, byte), {})) << byte;
    EXPECT_FALSE(client.answered(kPath, ByteSpan{welcome}.first(byte), {}));
  }
  EXPECT_TRUE(client.answered(kPath, welcome, {}));
}

/// Each costs the relay two exchanges of keys; whoever shows an address is not held up by them.
TEST_F(HandshakeTest, OfAFloodOfHellosEachIsAskedBackWithoutALook) {
  client.answered(kPath, retry_for(client.hello(kPath, {}), kHere, {}), {});
  const Bytes flood = ClientHandshake{known, kPayload}.hello(kPath, {});
  int looked = 0;
  for (int i = 0; i < 1100; ++i) looked += asked(flood, kElsewhere, {}) ? 1 : 0;
  EXPECT_EQ(looked, 999);
  EXPECT_TRUE(std::holds_alternative<RelayHandshake::TooMany>(relay.examine(flood, kElsewhere, {})));
  EXPECT_TRUE(is_proven(client.hello(kPath, {}), kHere, {}));
}

TEST_F(HandshakeTest, HellosComeLessAndLessOften) {
  TimePoint now{};
  std::vector<Duration> gaps;
  for (int i = 0; i < 7; ++i) {
    client.hello(kPath, now);
    gaps.push_back(client.next_hello(kPath) - now);
    now = client.next_hello(kPath);
  }
  EXPECT_EQ(gaps, (std::vector<Duration>{250ms, 500ms, 1s, 2s, 4s, 4s, 4s}));
}

TEST(KeyText, IsReadAgain) {
  const KeyPair key = KeyPair::random();
  const std::string text = key_text(key.private_key().bytes());
  EXPECT_EQ(text.size(), 43U);
  EXPECT_EQ(key_from_text(text), key.private_key());
  EXPECT_FALSE(key_from_text(text + "A"));
  EXPECT_FALSE(key_from_text(text.substr(1)));
  EXPECT_FALSE(key_from_text(""));
  EXPECT_FALSE(key_from_text(std::string(43, '!')));
  EXPECT_EQ(public_key_from_text(key_text(key.public_key())), key.public_key());
  EXPECT_FALSE(public_key_from_text(key_text(PublicKey{}))) << "it makes no secret";
}

}  // namespace
}  // namespace tributary::bonding
