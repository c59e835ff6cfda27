// The tunnel's packets. The first byte tells who sends: somebody without the key, or a peer with it who sends nonsense.
#include <algorithm>
#include <span>

#include "bonding/connection.hh"
#include "bonding/handshake/client_handshake.hh"
#include "bonding/relay_end.hh"
#include "fuzz_target.hh"

using namespace tributary;
using namespace tributary::bonding;

namespace {

constexpr Duration kStep = std::chrono::milliseconds{10};

const PresharedKey& key() {
  static const PresharedKey kKey = PresharedKey::random();
  return kKey;
}

/// Without the key nothing comes back, and nothing is kept.
void from_a_stranger(ByteSpan datagram) {
  static RelayEnd relay{key(), InnerNetwork{}, BondingOptions{}};
  relay.datagram({}, datagram, TimePoint{});
  fuzz::require(relay.take_datagrams().empty() && relay.take_packets().empty() && relay.clients() == 0);
  ClientHandshake handshake{key()};
  fuzz::require(!handshake.answered(PathId{}, datagram, TimePoint{}));
}

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
  if (input.empty()) return 0;
  if (input.front() == std::byte{'s'}) {
    from_a_stranger(input.subspan(1));
  } else {
    from_a_peer(input.subspan(1));
  }
  return 0;
}
