#include "bonding/handshake/handshake_datagrams.hh"

#include <algorithm>
#include <string_view>

#include "bonding/handshake/noise.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kNoise = NoiseResponder::kFirstOverhead + HelloPayload::kSize;
constexpr std::size_t kHelloSize = 1 + kNoise + 1 + 2 * sizeof(Tag);
constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t kSealedCookie = sizeof(Tag) + crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::size_t kRetrySize = 1 + kNonce + kSealedCookie;
static_assert(kRetrySize < kHelloSize);
static_assert(1 + NoiseResponder::kSecondOverhead + WelcomePayload::kSize < kHelloSize);

template <typename Array>
Array array_from(ByteReader& reader) {
  Array array{};
  std::ranges::copy(reader.bytes(array.size()), array.begin());
  return array;
}

HashKey named(std::string_view purpose, const PublicKey& relay) {
  HashKey name, key;
  std::ranges::copy(purpose, name.data());
  const Tag tag = keyed_hash(name, {relay});
  static_assert(sizeof(Tag) == HashKey::kSize);
  std::copy_n(as_unsigned(tag), HashKey::kSize, key.data());
  return key;
}

}  // namespace

PublicKeyHashes hashes_of(const PublicKey& relay) {
  return {.hello = named("tributary hello", relay), .retry = named("tributary retry", relay)};
}

Bytes handshake_prologue() {
  constexpr std::string_view kName = "tributary tunnel, version ";
  const ByteSpan name = std::as_bytes(std::span{kName});
  Bytes prologue{name.begin(), name.end()};
  prologue.push_back(static_cast<std::byte>(kVersion));
  return prologue;
}

Bytes write_hello_payload(const HelloPayload& payload) {
  Bytes bytes;
  ByteWriter writer{bytes};
  writer.number(static_cast<std::uint64_t>(payload.made_at), 8);
  writer.number(payload.renews ? 1 : 0, 1);
  writer.number(to_index(payload.renews.value_or(ConnectionId{})), 4);
  return bytes;
}

std::optional<HelloPayload> read_hello_payload(ByteSpan bytes) {
  ByteReader reader{bytes};
  HelloPayload payload{.made_at = static_cast<HelloTime>(reader.number(8))};
  const std::uint64_t renews = reader.number(1);
  const auto connection = static_cast<ConnectionId>(reader.number(4));
  if (renews == 1) payload.renews = connection;
  const bool makes_sense = renews == 1 || (renews == 0 && connection == ConnectionId{});
  return reader.complete() && makes_sense ? std::optional{payload} : std::nullopt;
}

Bytes write_hello(ByteSpan noise, const std::optional<Tag>& cookie, const PublicKeyHashes& relay) {
  Bytes datagram{first_byte(DatagramKind::kHello)};
  ByteWriter writer{datagram};
  writer.bytes(noise);
  writer.number(cookie ? 1 : 0, 1);
  writer.bytes(cookie.value_or(Tag{}));
  writer.bytes(keyed_hash(relay.hello, {datagram}));
  return datagram;
}

std::optional<Hello> read_hello(ByteSpan datagram, const PublicKeyHashes& relay) {
  if (kind_of(datagram) != DatagramKind::kHello || datagram.size() != kHelloSize) return std::nullopt;
  ByteReader reader{datagram.subspan(1)};
  Hello hello;
  hello.noise = reader.bytes(kNoise);
  std::ranges::copy(hello.noise.first(sizeof(PublicKey)), hello.ephemeral.begin());
  const bool has_cookie = reader.number(1) == 1;
  const Tag cookie = array_from<Tag>(reader);
  if (has_cookie) hello.cookie = cookie;
  const ByteSpan hashed = datagram.first(kHelloSize - sizeof(Tag));
  return equal(array_from<Tag>(reader), keyed_hash(relay.hello, {hashed})) ? std::optional{hello} : std::nullopt;
}

Bytes write_retry(const Tag& cookie, const PublicKey& hello, const PublicKeyHashes& relay) {
  std::array<std::byte, kNonce> nonce{};
  std::array<std::byte, kSealedCookie> sealed{};
  randombytes_buf(nonce.data(), nonce.size());
  crypto_aead_xchacha20poly1305_ietf_encrypt(as_unsigned(sealed.data()), nullptr, as_unsigned(cookie), cookie.size(),
                                             as_unsigned(hello), hello.size(), nullptr, as_unsigned(nonce),
                                             relay.retry.data());
  Bytes datagram{first_byte(DatagramKind::kRetry)};
  ByteWriter writer{datagram};
  writer.bytes(nonce);
  writer.bytes(sealed);
  return datagram;
}

std::optional<Tag> read_retry(ByteSpan datagram, const PublicKey& hello, const PublicKeyHashes& relay) {
  if (kind_of(datagram) != DatagramKind::kRetry || datagram.size() != kRetrySize) return std::nullopt;
  const ByteSpan nonce = datagram.subspan(1, kNonce), sealed = datagram.subspan(1 + kNonce);
  Tag cookie{};
  const int refused = crypto_aead_xchacha20poly1305_ietf_decrypt(as_unsigned(cookie.data()), nullptr, nullptr,
                                                                 as_unsigned(sealed), sealed.size(), as_unsigned(hello),
                                                                 hello.size(), as_unsigned(nonce), relay.retry.data());
  return refused == 0 ? std::optional{cookie} : std::nullopt;
}

Bytes write_welcome_payload(const WelcomePayload& payload) {
  Bytes bytes;
  ByteWriter writer{bytes};
  writer.number(to_index(payload.assignment.connection), 4);
  writer.number(static_cast<std::uint64_t>(payload.generation), 1);
  writer.bytes(payload.assignment.ipv4);
  writer.bytes(payload.assignment.ipv6);
  writer.number(static_cast<std::uint64_t>(payload.assignment.mtu.bytes()), 2);
  return bytes;
}

std::optional<WelcomePayload> read_welcome_payload(ByteSpan bytes) {
  ByteReader reader{bytes};
  WelcomePayload payload;
  Assignment& assignment = payload.assignment;
  assignment.connection = static_cast<ConnectionId>(reader.number(4));
  const std::uint64_t generation = reader.number(1);
  payload.generation = static_cast<KeyGeneration>(generation);
  assignment.ipv4 = array_from<decltype(assignment.ipv4)>(reader);
  assignment.ipv6 = array_from<decltype(assignment.ipv6)>(reader);
  assignment.mtu = DataSize{static_cast<std::int64_t>(reader.number(2))};
  return reader.complete() && generation < kGenerations ? std::optional{payload} : std::nullopt;
}

Bytes write_welcome(ByteSpan noise) {
  Bytes datagram{first_byte(DatagramKind::kWelcome)};
  ByteWriter{datagram}.bytes(noise);
  return datagram;
}

std::optional<ByteSpan> read_welcome(ByteSpan datagram) {
  return kind_of(datagram) == DatagramKind::kWelcome ? std::optional{datagram.subspan(1)} : std::nullopt;
}

}  // namespace tributary::bonding
