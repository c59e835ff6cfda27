#include "bonding/handshake/relay_handshake.hh"

#include <utility>

namespace tributary::bonding {

RelayHandshake::Examined RelayHandshake::examine(ByteSpan datagram, const PeerAddress& from, TimePoint now) {
  const auto hello = read_hello(datagram, hashes_);
  if (!hello) return Ignored{};
  const bool proven = hello->cookie && cookies_.is_valid(*hello->cookie, from, hello->ephemeral, now);
  if (!proven && !unproven_.take(now)) return TooMany{hello->ephemeral};
  auto noise = NoiseResponder::answering(identity_.own, prologue_, hello->noise);
  const auto payload = noise ? read_hello_payload(noise->payload()) : std::nullopt;
  if (!payload) return Ignored{};
  return Asked{*std::move(noise), *payload, proven};
}

Bytes RelayHandshake::retry(const PublicKey& ephemeral, const PeerAddress& from, TimePoint now) {
  return write_retry(cookies_.cookie(from, ephemeral, now), ephemeral, hashes_);
}

std::optional<RelayHandshake::Welcomed> RelayHandshake::welcome(const NoiseResponder& noise,
                                                                const WelcomePayload& payload) const {
  auto completed = noise.completed(identity_.shared_with(noise.initiator()), write_welcome_payload(payload));
  if (!completed) return std::nullopt;
  return Welcomed{write_welcome(completed->second), completed->keys};
}

}  // namespace tributary::bonding
