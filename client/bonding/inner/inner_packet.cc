#include "bonding/inner/inner_packet.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kHeader4 = 20, kHeader6 = 40;
constexpr unsigned kTcp = 6, kUdp = 17;

unsigned byte_at(ByteSpan packet, std::size_t place) { return std::to_integer<unsigned>(packet[place]); }
unsigned version(ByteSpan packet) { return packet.empty() ? 0 : byte_at(packet, 0) >> 4; }

/// The ports of TCP and UDP, where they follow.
ByteSpan ports(ByteSpan packet) {
  const bool is_4 = version(packet) == 4;
  const std::size_t header = is_4 ? 4 * (byte_at(packet, 0) & 0xf) : kHeader6;
  const unsigned protocol = is_4 ? byte_at(packet, 9) : byte_at(packet, 6);
  const bool fragment = is_4 && ((byte_at(packet, 6) & 0x3f) != 0 || byte_at(packet, 7) != 0);
  if (fragment || (protocol != kTcp && protocol != kUdp) || packet.size() < header + 4) return {};
  return packet.subspan(header, 4);
}

/// FNV-1a.
std::uint32_t hashed(std::uint32_t hash, ByteSpan bytes) {
  for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint32_t>(byte)) * 16777619U;
  return hash;
}

}  // namespace

std::optional<InnerAddresses> inner_addresses(ByteSpan packet) {
  if (version(packet) == 4 && packet.size() >= kHeader4)
    return InnerAddresses{packet.subspan(12, 4), packet.subspan(16, 4)};
  if (version(packet) == 6 && packet.size() >= kHeader6)
    return InnerAddresses{packet.subspan(8, 16), packet.subspan(24, 16)};
  return std::nullopt;
}

Flow flow_of(ByteSpan packet) {
  const auto addresses = inner_addresses(packet);
  if (!addresses) return Flow{};
  std::uint32_t hash = hashed(2166136261U, addresses->source);
  hash = hashed(hash, addresses->destination);
  return static_cast<Flow>(hashed(hash, ports(packet)));
}

Subflow subflow_of(ByteSpan packet) {
  unsigned dscp = 0;
  if (version(packet) == 4 && packet.size() >= kHeader4) dscp = byte_at(packet, 1) >> 2;
  if (version(packet) == 6 && packet.size() >= kHeader6)
    dscp = (byte_at(packet, 0) & 0xf) << 2 | byte_at(packet, 1) >> 6;
  const unsigned in_class = dscp >> 3, drop_precedence = dscp >> 1 & 3;
  return static_cast<Subflow>((7 - in_class) * 4 + drop_precedence);
}

}  // namespace tributary::bonding
