#include "bonding/handshake/relay_handshake.hh"

namespace tributary::bonding {

std::variant<RelayHandshake::Ignored, RelayHandshake::AskBack, RelayHandshake::Proven> RelayHandshake::examine(
    ByteSpan datagram, const PeerAddress& from, TimePoint now) {
  const auto hello = read_hello(datagram, shared_);
  if (!hello) return Ignored{};
  if (hello->cookie && cookies_.is_valid(*hello->cookie, from, hello->public_key, now))
    return Proven{hello->public_key};
  return AskBack{write_retry(cookies_.cookie(from, hello->public_key, now), hello->public_key, shared_)};
}

std::optional<RelayHandshake::Welcomed> RelayHandshake::welcome(const PublicKey& client,
                                                                const Assignment& assignment) const {
  const EphemeralKey own;
  auto keys = own.as_relay(client, shared_);
  if (!keys) return std::nullopt;
  Bytes datagram = write_welcome(assignment, own.public_key(), *keys);
  return Welcomed{std::move(datagram), *keys};
}

}  // namespace tributary::bonding
