#pragma once

#include <optional>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/identifiers.hh"

namespace tributary::bonding {

constexpr std::uint8_t kVersion = 1;

/// The first byte of a datagram has the version in its upper half, and this in its lower one.
enum class DatagramKind : std::uint8_t { kSealed, kHello, kRetry, kWelcome };

/// Nothing for another version, an unknown kind, or an empty datagram.
std::optional<DatagramKind> kind_of(ByteSpan datagram);
std::byte first_byte(DatagramKind kind);

/// The part of a sealed packet that everybody can read, and nobody can change. With the first byte: connection (4),
/// path (1), sequence number of the path (6).
struct PacketHeader {
  static constexpr std::size_t kSize = 12;

  ConnectionId connection{};
  PathId path{};
  PathSequence sequence{};

  bool operator==(const PacketHeader&) const = default;
};

/// Nothing if the datagram is no sealed packet of our version.
std::optional<PacketHeader> read_header(ByteSpan datagram);
void write_header(const PacketHeader& header, Bytes& packet);

}  // namespace tributary::bonding
