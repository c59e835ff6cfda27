#include "bonding/handshake/noise.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace tributary::bonding {
namespace {

Bytes from_hex(std::string_view hex) {
  Bytes bytes(hex.size() / 2);
  EXPECT_EQ(sodium_hex2bin(as_unsigned(bytes.data()), bytes.size(), hex.data(), hex.size(), nullptr, nullptr, nullptr),
            0);
  return bytes;
}

template <typename Key>
Key key_of(std::string_view hex) {
  Key key;
  std::ranges::copy(from_hex(hex), reinterpret_cast<std::byte*>(key.data()));
  return key;
}

KeyPair pair_of(std::string_view private_key) { return KeyPair{key_of<PrivateKey>(private_key)}; }

/// The vector of Noise_IKpsk2_25519_ChaChaPoly_BLAKE2b in vectors/cacophony.txt of github.com/haskell-cryptography/cacophony
/// (in the public domain), which several implementations of Noise are tested with.
struct VectorMessage {
  std::string_view payload, ciphertext;
};
constexpr std::string_view kPrologue = "4a6f686e2047616c74";
constexpr std::string_view kShared = "54686973206973206d7920417573747269616e20706572737065637469766521";
constexpr std::string_view kInitiator = "e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1";
constexpr std::string_view kInitiatorEphemeral = "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a";
constexpr std::string_view kResponderPublic = "31e0303fd6418d2f8c0e78b91f22e8caed0fbe48656dcf4767e4834f701b8f62";
constexpr std::string_view kResponder = "4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893";
constexpr std::string_view kResponderEphemeral = "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b";
constexpr std::string_view kHash =
    "ed837c9084f2f0333a7ec60b9bcacd9921394858de8ced118b5966d1147ba390"
    "084dab42326c565a309c29317a6079be30aa1d790d25a517b43287426cb1d36a";
constexpr VectorMessage kFirstMessage{
    "4c756477696720766f6e204d69736573",
    "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944b6fe0240b839afac809de1630eaf99d8f9b941394f0512c055"
    "4633bbb021d15176135c0a20e7fdb9a9ed066f22f054b47625b1d5061cb27d6a17f053273db7c25216a5addc506ee321bc0618feb5849d"};
constexpr VectorMessage kSecondMessage{
    "4d757272617920526f746862617264",
    "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f1448088438f627e69fc120006f746b9d420bf4056cf8481ab32d9e904ff"
    "aeeaa56a5290"};
constexpr VectorMessage kAfter[] = {
    {"462e20412e20486179656b", "07fc0034398a5f1010322be193d62f94bebf2948a20b3e15d681fe"},
    {"4361726c204d656e676572", "2ea5400f5b8a16971c8b67bde75aeb7987d454b1c0beeb2566932d"},
    {"4a65616e2d426170746973746520536179", "96eef918ef51639fc0e156da1823c4f71b33fac5af983f5da9384f7da20d86ed91"},
    {"457567656e2042f6686d20766f6e2042617765726b",
     "f02766a56496e1fbf32e05274baebf6d693c8f3e4c6e0dc7ebdc5ac170f15dae433b92f469"}};

ClientIdentity initiator() {
  return {pair_of(kInitiator), key_of<PublicKey>(kResponderPublic), key_of<PresharedKey>(kShared)};
}

NoiseInitiator first_of_vector() {
  return {initiator(), from_hex(kPrologue), from_hex(kFirstMessage.payload), pair_of(kInitiatorEphemeral)};
}

/// A message after the handshake, as Noise encrypts the n-th one of a direction.
Bytes encrypted(const SessionKey& key, std::uint8_t number, const Bytes& plain) {
  const std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES> nonce{0, 0, 0, 0, number};
  Bytes sealed(plain.size() + crypto_aead_chacha20poly1305_ietf_ABYTES);
  crypto_aead_chacha20poly1305_ietf_encrypt(as_unsigned(sealed.data()), nullptr, as_unsigned(plain), plain.size(),
                                            nullptr, 0, nullptr, nonce.data(), key.data());
  return sealed;
}

TEST(Noise, MakesTheMessagesAndKeysOfThePublishedVector) {
  const NoiseInitiator client = first_of_vector();
  EXPECT_EQ(client.first(), from_hex(kFirstMessage.ciphertext));
  const auto relay = NoiseResponder::answering(pair_of(kResponder), from_hex(kPrologue), client.first());
  ASSERT_TRUE(relay);
  EXPECT_EQ(relay->initiator(), pair_of(kInitiator).public_key());
  EXPECT_EQ(relay->payload(), from_hex(kFirstMessage.payload));
  const auto answered =
      relay->completed(key_of<PresharedKey>(kShared), from_hex(kSecondMessage.payload), pair_of(kResponderEphemeral));
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->second, from_hex(kSecondMessage.ciphertext));
  EXPECT_EQ(answered->hash, from_hex(kHash));
  const auto completed = client.completed(answered->second);
  ASSERT_TRUE(completed);
  EXPECT_EQ(completed->payload, from_hex(kSecondMessage.payload));
  EXPECT_EQ(completed->hash, from_hex(kHash));
  for (std::size_t i = 0; i < std::size(kAfter); ++i) {
    const bool of_client = i % 2 == 0;
    const Bytes plain = from_hex(kAfter[i].payload), sealed = from_hex(kAfter[i].ciphertext);
    const auto number = static_cast<std::uint8_t>(i / 2);
    EXPECT_EQ(encrypted(of_client ? completed->keys.send : completed->keys.receive, number, plain), sealed) << i;
    EXPECT_EQ(encrypted(of_client ? answered->keys.receive : answered->keys.send, number, plain), sealed) << i;
  }
}

TEST(Noise, NoBitOfItsMessagesCanBeChanged) {
  const NoiseInitiator client = first_of_vector();
  const KeyPair relay = pair_of(kResponder);
  const Bytes prologue = from_hex(kPrologue);
  const auto accepted = NoiseResponder::answering(relay, prologue, client.first());
  ASSERT_TRUE(accepted);
  const auto answer = accepted->completed(key_of<PresharedKey>(kShared), {});
  for (std::size_t byte = 0; byte < client.first().size(); ++byte) {
    Bytes changed = client.first();
    changed[byte] ^= std::byte{0x10};
    EXPECT_FALSE(NoiseResponder::answering(relay, prologue, changed)) << byte;
    EXPECT_FALSE(NoiseResponder::answering(relay, prologue, ByteSpan{client.first()}.first(byte))) << byte;
  }
  for (std::size_t byte = 0; byte < answer->second.size(); ++byte) {
    Bytes changed = answer->second;
    changed[byte] ^= std::byte{0x10};
    EXPECT_FALSE(client.completed(changed)) << byte;
    EXPECT_FALSE(client.completed(ByteSpan{answer->second}.first(byte))) << byte;
  }
  EXPECT_TRUE(client.completed(answer->second)) << "the others before it have changed nothing";
}

TEST(Noise, BothEndsMustAgreeOnKeysSecretAndPrologue) {
  const NoiseInitiator client = first_of_vector();
  const Bytes prologue = from_hex(kPrologue);
  EXPECT_FALSE(NoiseResponder::answering(KeyPair::random(), prologue, client.first()));
  EXPECT_FALSE(NoiseResponder::answering(pair_of(kResponder), {}, client.first()));
  const auto relay = NoiseResponder::answering(pair_of(kResponder), prologue, client.first());
  EXPECT_FALSE(client.completed(relay->completed(PresharedKey{}, {})->second)) << "another secret of the pair";
  const NoiseInitiator again{initiator(), prologue, from_hex(kFirstMessage.payload)};
  EXPECT_FALSE(again.completed(relay->completed(key_of<PresharedKey>(kShared), {})->second))
      << "the answer to another one";
}

/// Points of small order: the secret would be 0, whoever makes it.
TEST(Noise, PublicKeysThatMakeNoSecretAreRefused) {
  ClientIdentity identity = initiator();
  identity.relay = PublicKey{};
  EXPECT_THROW((NoiseInitiator{identity, {}, {}}), std::invalid_argument);
  Bytes first = first_of_vector().first();
  std::fill_n(first.begin(), sizeof(PublicKey), std::byte{});
  EXPECT_FALSE(NoiseResponder::answering(pair_of(kResponder), from_hex(kPrologue), first));
}

}  // namespace
}  // namespace tributary::bonding
