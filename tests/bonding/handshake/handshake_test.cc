#include <gtest/gtest.h>

#include "bonding/handshake/client_handshake.hh"
#include "bonding/handshake/relay_handshake.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr PathId kPath{0};
const PeerAddress kHere{{std::byte{1}}, 1}, kElsewhere{{std::byte{2}}, 1};
const Assignment kAssigned{ConnectionId{77}, {std::byte{10}}, {std::byte{0xfd}}, 1280_B};

Bytes retry_for(RelayHandshake& relay, const Bytes& hello, const PeerAddress& from, TimePoint now) {
  const auto examined = relay.examine(hello, from, now);
  const auto* ask_back = std::get_if<RelayHandshake::AskBack>(&examined);
  return ask_back == nullptr ? Bytes{} : ask_back->retry;
}

bool is_proven(RelayHandshake& relay, const Bytes& hello, const PeerAddress& from, TimePoint now) {
  return std::holds_alternative<RelayHandshake::Proven>(relay.examine(hello, from, now));
}

TEST(Handshake, GivesBothEndsTheSameKeys) {
  const PresharedKey key = PresharedKey::random();
  RelayHandshake relay{key};
  ClientHandshake client{key};
  EXPECT_FALSE(client.answered(kPath, retry_for(relay, client.hello(kPath, {}), kHere, {}), {}));
  const auto examined = relay.examine(client.hello(kPath, {}), kHere, {});
  const auto welcomed = relay.welcome(std::get<RelayHandshake::Proven>(examined).client, kAssigned);
  const auto welcome = client.answered(kPath, welcomed->welcome, {});
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->assignment, kAssigned);
  EXPECT_EQ(welcome->keys.send, welcomed->keys.receive);
  EXPECT_EQ(welcome->keys.receive, welcomed->keys.send);
  EXPECT_FALSE(welcome->keys.send == welcome->keys.receive);
}

TEST(Handshake, GivesOtherKeysEachTime) {
  const PresharedKey key = PresharedKey::random();
  const RelayHandshake relay{key};
  const PublicKey client = EphemeralKey{}.public_key();
  EXPECT_FALSE(relay.welcome(client, kAssigned)->keys.send == relay.welcome(client, kAssigned)->keys.send);
}

TEST(Handshake, NeedsTheKeyAtBothEnds) {
  const PresharedKey key = PresharedKey::random();
  RelayHandshake relay{key}, other{PresharedKey::random()};
  ClientHandshake client{key};
  const Bytes hello = client.hello(kPath, {});
  EXPECT_TRUE(retry_for(other, hello, kHere, {}).empty());
  // Another relay that has read the public key of the Hello can neither ask back nor welcome.
  EXPECT_FALSE(client.answered(kPath, other.welcome(read_hello(hello, key)->public_key, kAssigned)->welcome, {}));
  client.answered(kPath, write_retry(Tag{}, read_hello(hello, key)->public_key, PresharedKey::random()), {});
  EXPECT_EQ(client.hello(kPath, {}), hello);
}

TEST(Handshake, ACookieIsForOneAddressAndOneKeyAndTwoMinutes) {
  const PresharedKey key = PresharedKey::random();
  RelayHandshake relay{key};
  ClientHandshake client{key}, other{key};
  const Bytes retry = retry_for(relay, client.hello(kPath, {}), kHere, {});
  client.answered(kPath, retry, {});
  const Bytes hello = client.hello(kPath, {});
  EXPECT_TRUE(is_proven(relay, hello, kHere, TimePoint{59s}));
  EXPECT_FALSE(is_proven(relay, hello, kElsewhere, TimePoint{59s}));
  EXPECT_FALSE(is_proven(relay, other.hello(kPath, {}), kHere, TimePoint{59s}));
  EXPECT_TRUE(is_proven(relay, hello, kHere, TimePoint{61s}));
  EXPECT_FALSE(is_proven(relay, hello, kHere, TimePoint{121s}));
}

TEST(Handshake, EachPathHasItsCookie) {
  const PresharedKey key = PresharedKey::random();
  RelayHandshake relay{key};
  ClientHandshake client{key};
  client.answered(PathId{0}, retry_for(relay, client.hello(PathId{0}, {}), kHere, {}), {});
  client.answered(PathId{1}, retry_for(relay, client.hello(PathId{1}, {}), kElsewhere, {}), {});
  EXPECT_TRUE(is_proven(relay, client.hello(PathId{0}, {}), kHere, {}));
  EXPECT_TRUE(is_proven(relay, client.hello(PathId{1}, {}), kElsewhere, {}));
}

TEST(Handshake, EachAnswerIsSmallerThanItsHello) {
  const PresharedKey key = PresharedKey::random();
  RelayHandshake relay{key};
  ClientHandshake client{key};
  const Bytes hello = client.hello(kPath, {});
  EXPECT_EQ(hello.size(), Hello::kSize);
  EXPECT_LT(retry_for(relay, hello, kHere, {}).size(), hello.size());
  EXPECT_LT(relay.welcome(EphemeralKey{}.public_key(), kAssigned)->welcome.size(), hello.size());
}

TEST(Handshake, ChangedDatagramsAreRefused) {
  const PresharedKey key = PresharedKey::random();
  RelayHandshake relay{key};
  ClientHandshake client{key};
  const Bytes hello = client.hello(kPath, {});
  for (std::size_t byte = 0; byte < hello.size(); ++byte) {
    Bytes changed = hello;
    changed[byte] ^= std::byte{4};
    EXPECT_FALSE(read_hello(changed, key)) << byte;
    EXPECT_FALSE(read_hello(ByteSpan{hello}.first(byte), key));
  }
  const Bytes welcome = relay.welcome(read_hello(hello, key)->public_key, kAssigned)->welcome;
  for (std::size_t byte = 0; byte < welcome.size(); ++byte) {
    Bytes changed = welcome;
    changed[byte] ^= std::byte{4};
    EXPECT_FALSE(client.answered(kPath, changed, {})) << byte;
    EXPECT_FALSE(client.answered(kPath, ByteSpan{welcome}.first(byte), {}));
  }
}

TEST(Handshake, HellosComeLessAndLessOften) {
  ClientHandshake client{PresharedKey::random()};
  TimePoint now{};
  std::vector<Duration> gaps;
  for (int i = 0; i < 7; ++i) {
    client.hello(kPath, now);
    gaps.push_back(client.next_hello(kPath) - now);
    now = client.next_hello(kPath);
  }
  EXPECT_EQ(gaps, (std::vector<Duration>{250ms, 500ms, 1s, 2s, 4s, 4s, 4s}));
}

TEST(PresharedKey, IsReadFromItsText) {
  const PresharedKey key = PresharedKey::random();
  EXPECT_EQ(key.text().size(), 43U);
  EXPECT_EQ(PresharedKey::from_text(key.text()), key);
  EXPECT_FALSE(PresharedKey::from_text(key.text() + "A"));
  EXPECT_FALSE(PresharedKey::from_text(key.text().substr(1)));
  EXPECT_FALSE(PresharedKey::from_text(""));
  EXPECT_FALSE(PresharedKey::from_text(std::string(43, '!')));
}

}  // namespace
}  // namespace tributary::bonding
