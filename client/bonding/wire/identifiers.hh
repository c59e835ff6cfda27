#pragma once

#include <cstdint>

#include "units/identifiers.hh"

namespace tributary::bonding {

enum class ConnectionId : std::uint32_t {};    // handed out by the relay, unique among its clients
enum class PathId : std::uint8_t {};           // counted by the client; a link that returns keeps its path
enum class PathSequence : std::uint64_t {};    // of the packets of one path in one direction, from 0 on
enum class GlobalSequence : std::uint64_t {};  // of the inner packets in one direction over all paths, from 0 on

/// Sequence numbers have 48 bits on the wire: at a million packets a second they last for nine years.
constexpr std::uint64_t kSequenceEnd = std::uint64_t{1} << 48;

/// The id `count` after this one.
template <typename Id>
requires std::is_enum_v<Id>
constexpr Id later(Id id, std::uint64_t count) { return static_cast<Id>(static_cast<std::uint64_t>(id) + count); }

}  // namespace tributary::bonding
