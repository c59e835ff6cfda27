#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "bonding/handshake/peer_address.hh"
#include "bonding/wire/bytes.hh"

namespace tributary::bonding {

enum class StreamId : std::uint32_t {};  // of a connection of TCP that is carried on; counted by the client

/// Bytes of one direction of a stream. They may come over any link, in any order, and again.
struct StreamData {
  StreamId stream{};
  std::uint64_t offset = 0;
  ByteSpan bytes;
  bool last = false;                         // nothing follows them; the end counts as one more byte
  std::optional<PeerAddress> destination{};  // of the stream that begins with them
};
/// Tells the sender of the other direction that all bytes up to `received` have come (the end included), and that it may
/// send up to `limit`.
struct StreamProgress {
  StreamId stream{};
  std::uint64_t received = 0, limit = 0;
  bool operator==(const StreamProgress&) const = default;
};
/// The stream is broken off, in both directions.
struct StreamReset {
  StreamId stream{};
};
using StreamMessage = std::variant<StreamData, StreamProgress, StreamReset>;

/// Most bytes that a message has beside those of the stream.
constexpr std::size_t kStreamOverhead = 32;

/// Borrows the bytes from `plain`. Nothing unless `plain` is one message, whole and without anything behind it.
std::optional<StreamMessage> read_stream_message(ByteSpan plain);
Bytes write_stream_message(const StreamMessage& message);

}  // namespace tributary::bonding
