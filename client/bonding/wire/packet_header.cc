#include "bonding/wire/packet_header.hh"

namespace tributary::bonding {

namespace {

std::uint8_t lower_half(ByteSpan datagram) { return std::to_integer<std::uint8_t>(datagram.front()) & 0xf; }

}  // namespace

std::optional<DatagramKind> kind_of(ByteSpan datagram) {
  if (datagram.empty() || std::to_integer<std::uint8_t>(datagram.front()) >> 4 != kVersion) return std::nullopt;
  const auto kind = static_cast<DatagramKind>(lower_half(datagram) % 4);
  const bool has_generation = lower_half(datagram) >= 4;
  return has_generation && kind != DatagramKind::kSealed ? std::nullopt : std::optional{kind};
}

std::byte first_byte(DatagramKind kind, KeyGeneration generation) {
  return static_cast<std::byte>(kVersion << 4 | static_cast<std::uint8_t>(generation) << 2 |
                                static_cast<std::uint8_t>(kind));
}

std::optional<PacketHeader> read_header(ByteSpan datagram) {
  if (kind_of(datagram) != DatagramKind::kSealed) return std::nullopt;
  ByteReader reader{datagram.subspan(1)};
  PacketHeader header;
  header.connection = static_cast<ConnectionId>(reader.number(4));
  header.path = static_cast<PathId>(reader.number(1));
  header.sequence = static_cast<PathSequence>(reader.number(6));
  header.generation = static_cast<KeyGeneration>(lower_half(datagram) / 4);
  return reader.failed() ? std::nullopt : std::optional{header};
}

void write_header(const PacketHeader& header, Bytes& packet) {
  packet.push_back(first_byte(DatagramKind::kSealed, header.generation));
  ByteWriter writer{packet};
  writer.number(to_index(header.connection), 4);
  writer.number(to_index(header.path), 1);
  writer.number(to_index(header.sequence), 6);
}

}  // namespace tributary::bonding
