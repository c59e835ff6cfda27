// The packets of a tunnel's peer that sends nonsense. The handshake has a target of its own.
#include <algorithm>
#include <span>

#include "bonding/connection.hh"
#include "fuzz_target.hh"

using namespace tributary;
using namespace tributary::bonding;

namespace {

constexpr Duration kStep = std::chrono::milliseconds{10};

/// What is read is the same when it is written again.
void as_a_message(ByteSpan plain) {
  const auto message = read_message(plain);
  if (!message) return;
  Bytes written;
  write_message(*message, written);
  fuzz::require(std::ranges::equal(written, plain));
}

/// Messages of a peer: a byte of length, and as many bytes of contents. Those of length 0 let time pass.
void from_a_peer(ByteSpan input) {
  const SessionKeys keys;
  Connection connection{ConnectionId{1}, keys, BondingOptions{}, PeerAddress{}};
  TimePoint now{};
  PathSequence sequence{};
  for (ByteReader reader{input}; !reader.rest().empty();) {
    const std::size_t size = std::min<std::size_t>(reader.number(1), reader.rest().size());
    if (size == 0) now += std::chrono::seconds{1};
    const ByteSpan plain = reader.bytes(size);
    as_a_message(plain);
    const auto path = static_cast<PathId>(size % 5);
    const PacketHeader header{connection.id(), path, std::exchange(sequence, next(sequence))};
    const Bytes datagram = Sealer{keys.receive}.seal(header, plain);
    connection.arrived(header, datagram, PeerAddress{{}, static_cast<std::uint16_t>(size % 3)}, now += kStep);
    connection.send(Bytes(100), now);
    if (connection.next_deadline() <= now) connection.wake(now);
    connection.take_datagrams();
    connection.take_packets();
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan input = std::as_bytes(std::span{data, size});
  from_a_peer(input);
  return 0;
}
