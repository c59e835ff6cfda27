#pragma once

#include <optional>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/identifiers.hh"

namespace tributary::bonding {

constexpr std::uint8_t kVersion = 2;

/// The first byte of a datagram has the version in its upper half; in its lower one, the generation of the keys (2 bits) and
/// this (2 bits).
enum class DatagramKind : std::uint8_t { kSealed, kHello, kRetry, kWelcome };

/// Which keys of a connection seal a packet. They are made anew now and then, and are counted from 0 to 3 and again.
enum class KeyGeneration : std::uint8_t {};
constexpr std::uint8_t kGenerations = 4;
constexpr KeyGeneration after(KeyGeneration before) {
  return static_cast<KeyGeneration>((static_cast<std::uint8_t>(before) + 1) % kGenerations);
}

/// Nothing for another version, an unknown kind, or an empty datagram.
std::optional<DatagramKind> kind_of(ByteSpan datagram);
std::byte first_byte(DatagramKind kind, KeyGeneration generation = {});

/// The part of a sealed packet that everybody can read, and nobody can change: the first byte, connection (4), path (1),
/// sequence number of the path (6).
struct PacketHeader {
  static constexpr std::size_t kSize = 12;

  ConnectionId connection{};
  PathId path{};
  PathSequence sequence{};
  KeyGeneration generation{};

  bool operator==(const PacketHeader&) const = default;
};

/// Nothing if the datagram is no sealed packet of our version.
std::optional<PacketHeader> read_header(ByteSpan datagram);
void write_header(const PacketHeader& header, Bytes& packet);

}  // namespace tributary::bonding
