#include "bonding/handshake/key_ring.hh"

#include <gtest/gtest.h>

#include <algorithm>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;
using enum KeyRing::Use;

constexpr KeyGeneration kOldKeys{0}, kNewKeys{1};

SessionKeys keys_of(unsigned char first) {
  SessionKeys keys;
  std::fill_n(keys.send.data(), SessionKey::kSize, first);
  std::fill_n(keys.receive.data(), SessionKey::kSize, static_cast<unsigned char>(first + 1));
  return keys;
}
SessionKeys turned(const SessionKeys& keys) { return {keys.receive, keys.send}; }

class KeyRingTest : public ::testing::Test {
 protected:
  bool opens(const KeyRing& ring, const Bytes& sealed, KeyRing::Use use = kDatagrams) {
    return ring.open(use, *read_header(sealed), sealed) == plain;
  }
  Bytes sealed(const KeyRing& ring, KeyRing::Use use = kDatagrams) { return ring.seal(use, header, plain); }

  Bytes plain = Bytes(10);
  PacketHeader header{ConnectionId{1}, PathId{2}, PathSequence{3}};
  KeyRing client{keys_of(1)}, relay{turned(keys_of(1))};
};

TEST_F(KeyRingTest, NewKeysOpenAtOnceAndSealWhenToldTo) {
  client.put(kNewKeys, keys_of(5));
  relay.put(kNewKeys, turned(keys_of(5)));
  EXPECT_EQ(read_header(sealed(relay))->generation, kOldKeys);
  client.seal_with(kNewKeys, {});
  const Bytes by_new = sealed(client);
  EXPECT_EQ(read_header(by_new)->generation, kNewKeys);
  EXPECT_TRUE(opens(relay, by_new));
  EXPECT_TRUE(opens(client, sealed(relay))) << "the relay still seals with the old ones";
}

TEST_F(KeyRingTest, OldKeysAreForgottenAfterAMinute) {
  const Bytes by_old = sealed(relay);
  client.put(kNewKeys, keys_of(5));
  client.seal_with(kNewKeys, TimePoint{10s});
  EXPECT_EQ(client.forgets_at(), TimePoint{70s});
  client.wake(TimePoint{69s});
  EXPECT_TRUE(opens(client, by_old));
  client.wake(TimePoint{70s});
  EXPECT_FALSE(opens(client, by_old));
  EXPECT_FALSE(client.forgets_at());
}

TEST_F(KeyRingTest, KeysThatWaitForThePeerOutlastThoseThatAreForgotten) {
  relay.put(kNewKeys, turned(keys_of(5)));
  relay.seal_with(kNewKeys, {});
  const KeyGeneration third = after(kNewKeys);
  client.put(kNewKeys, keys_of(5));
  client.put(third, keys_of(9));
  client.seal_with(kNewKeys, {});
  client.seal_with(third, {});
  relay.put(third, turned(keys_of(9)));
  relay.wake(TimePoint{60s});
  EXPECT_TRUE(opens(relay, sealed(client)));
}

TEST_F(KeyRingTest, GenerationsComeRound) {
  KeyGeneration generation{};
  TimePoint now{};
  for (unsigned char i = 0; i < 10; ++i, now += 2min) {
    generation = after(generation);
    relay.put(generation, turned(keys_of(i)));
    client.put(generation, keys_of(i));
    client.seal_with(generation, now);
    relay.seal_with(generation, now);
    EXPECT_TRUE(opens(relay, sealed(client)));
    EXPECT_TRUE(opens(client, sealed(relay)));
    client.wake(now + 1min);
    relay.wake(now + 1min);
  }
}

TEST_F(KeyRingTest, RecordsHaveKeysOfTheirOwnEachWay) {
  EXPECT_TRUE(opens(relay, sealed(client, kRecords), kRecords));
  EXPECT_FALSE(opens(relay, sealed(client, kRecords)));
  EXPECT_FALSE(opens(relay, sealed(client), kRecords));
  EXPECT_FALSE(opens(client, sealed(client, kRecords), kRecords));
}

TEST_F(KeyRingTest, TheGenerationIsPartOfWhatIsSealed) {
  client.put(kNewKeys, keys_of(1));  // even if the keys were the same
  Bytes changed = sealed(client);
  changed[0] ^= std::byte{4};
  EXPECT_EQ(read_header(changed)->generation, kNewKeys);
  EXPECT_FALSE(opens(relay, changed));
  relay.put(kNewKeys, turned(keys_of(1)));
  EXPECT_FALSE(opens(relay, changed));
}

}  // namespace
}  // namespace tributary::bonding
