#include "bonding/handshake/handshake_datagrams.hh"

#include "bonding/wire/sealing.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kHashSize = sizeof(Tag);
using Purpose = PresharedKey::Purpose;

template <typename Array>
Array array_from(ByteReader& reader) {
  Array array{};
  std::ranges::copy(reader.bytes(array.size()), array.begin());
  return array;
}

/// The datagram without its hash, which is at its end; nothing if that is wrong.
std::optional<ByteSpan> authentic(ByteSpan datagram, const PresharedKey::Subkey& key, ByteSpan more = {}) {
  if (datagram.size() < kHashSize) return std::nullopt;
  const ByteSpan contents = datagram.first(datagram.size() - kHashSize);
  Tag tag;
  std::ranges::copy(datagram.last(kHashSize), tag.begin());
  return equal(tag, keyed_hash(key, {contents, more})) ? std::optional{contents} : std::nullopt;
}

}  // namespace

Bytes write_hello(const Hello& hello, const PresharedKey& shared) {
  Bytes datagram{first_byte(DatagramKind::kHello)};
  ByteWriter writer{datagram};
  writer.bytes(hello.public_key);
  writer.number(hello.cookie ? 1 : 0, 1);
  writer.bytes(hello.cookie.value_or(Tag{}));
  writer.zeros(Hello::kSize - kHashSize - datagram.size());
  writer.bytes(keyed_hash(shared.subkey(Purpose::kHello), {datagram, {}}));
  return datagram;
}

std::optional<Hello> read_hello(ByteSpan datagram, const PresharedKey& shared) {
  if (kind_of(datagram) != DatagramKind::kHello || datagram.size() != Hello::kSize) return std::nullopt;
  const auto contents = authentic(datagram, shared.subkey(Purpose::kHello));
  if (!contents) return std::nullopt;
  ByteReader reader{contents->subspan(1)};
  Hello hello;
  hello.public_key = array_from<PublicKey>(reader);
  const bool has_cookie = reader.number(1) == 1;
  const Tag cookie = array_from<Tag>(reader);
  if (has_cookie) hello.cookie = cookie;
  return hello;
}

Bytes write_retry(const Tag& cookie, const PublicKey& hello, const PresharedKey& shared) {
  Bytes datagram{first_byte(DatagramKind::kRetry)};
  ByteWriter writer{datagram};
  writer.bytes(cookie);
  writer.bytes(keyed_hash(shared.subkey(Purpose::kRetry), {datagram, hello}));
  return datagram;
}

std::optional<Tag> read_retry(ByteSpan datagram, const PublicKey& hello, const PresharedKey& shared) {
  if (kind_of(datagram) != DatagramKind::kRetry || datagram.size() != 1 + 2 * kHashSize) return std::nullopt;
  const auto contents = authentic(datagram, shared.subkey(Purpose::kRetry), hello);
  if (!contents) return std::nullopt;
  ByteReader reader{contents->subspan(1)};
  return array_from<Tag>(reader);
}

Bytes write_welcome(const Assignment& assignment, const PublicKey& relay, const SessionKeys& keys) {
  Bytes plain;
  ByteWriter contents{plain};
  contents.bytes(assignment.ipv4);
  contents.bytes(assignment.ipv6);
  contents.number(static_cast<std::uint64_t>(assignment.mtu.bytes()), 2);

  Bytes datagram{first_byte(DatagramKind::kWelcome)};
  ByteWriter writer{datagram};
  writer.bytes(relay);
  writer.bytes(Sealer{keys.send}.seal({assignment.connection, kHandshakePath, {}}, plain));
  return datagram;
}

std::optional<Welcome> read_welcome(ByteSpan datagram, const EphemeralKey& own, const PresharedKey& shared) {
  if (kind_of(datagram) != DatagramKind::kWelcome) return std::nullopt;
  ByteReader reader{datagram.subspan(1)};
  const auto relay = array_from<PublicKey>(reader);
  const auto header = read_header(reader.rest());
  if (!header || header->path != kHandshakePath || header->sequence != PathSequence{}) return std::nullopt;
  auto keys = own.as_client(relay, shared);
  if (!keys) return std::nullopt;
  const auto plain = Opener{keys->receive}.open(*header, reader.rest());
  if (!plain) return std::nullopt;

  ByteReader contents{*plain};
  Assignment assignment{.connection = header->connection};
  assignment.ipv4 = array_from<decltype(assignment.ipv4)>(contents);
  assignment.ipv6 = array_from<decltype(assignment.ipv6)>(contents);
  assignment.mtu = DataSize{static_cast<std::int64_t>(contents.number(2))};
  if (!contents.complete()) return std::nullopt;
  return Welcome{assignment, *keys};
}

}  // namespace tributary::bonding
