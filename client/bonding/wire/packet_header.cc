#include "bonding/wire/packet_header.hh"

namespace tributary::bonding {

std::optional<DatagramKind> kind_of(ByteSpan datagram) {
  if (datagram.empty()) return std::nullopt;
  const auto first = std::to_integer<std::uint8_t>(datagram.front());
  const std::uint8_t kind = first & 0xf;
  if (first >> 4 != kVersion || kind > static_cast<std::uint8_t>(DatagramKind::kWelcome)) return std::nullopt;
  return static_cast<DatagramKind>(kind);
}

std::byte first_byte(DatagramKind kind) {
  return static_cast<std::byte>(kVersion << 4 | static_cast<std::uint8_t>(kind));
}

std::optional<PacketHeader> read_header(ByteSpan datagram) {
  if (kind_of(datagram) != DatagramKind::kSealed) return std::nullopt;
  ByteReader reader{datagram.subspan(1)};
  PacketHeader header;
  header.connection = static_cast<ConnectionId>(reader.number(4));
  header.path = static_cast<PathId>(reader.number(1));
  header.sequence = static_cast<PathSequence>(reader.number(6));
  return reader.failed() ? std::nullopt : std::optional{header};
}

void write_header(const PacketHeader& header, Bytes& packet) {
  packet.push_back(first_byte(DatagramKind::kSealed));
  ByteWriter writer{packet};
  writer.number(to_index(header.connection), 4);
  writer.number(to_index(header.path), 1);
  writer.number(to_index(header.sequence), 6);
}

}  // namespace tributary::bonding
