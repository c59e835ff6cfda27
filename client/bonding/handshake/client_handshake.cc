#include "bonding/handshake/client_handshake.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

constexpr Duration kLongestGap = std::chrono::seconds{4};

}  // namespace

TimePoint ClientHandshake::next_hello(PathId path) const {
  const auto found = attempts_.find(path);
  return found == attempts_.end() ? TimePoint::min() : found->second.next;
}

Bytes ClientHandshake::hello(PathId path, TimePoint now) {
  Attempts& attempts = attempts_[path];
  attempts.next = now + attempts.gap;
  attempts.gap = std::min(2 * attempts.gap, kLongestGap);
  return write_hello(noise_.first(), attempts.cookie, relay_);
}

std::optional<ClientHandshake::Welcomed> ClientHandshake::answered(PathId path, ByteSpan datagram, TimePoint now) {
  if (const auto cookie = read_retry(datagram, noise_.ephemeral(), relay_)) {
    Attempts& attempts = attempts_[path];
    if (!attempts.cookie) attempts.next = now;
    attempts.cookie = cookie;
    return std::nullopt;
  }
  const auto second = read_welcome(datagram);
  const auto completed = second ? noise_.completed(*second) : std::nullopt;
  const auto welcome = completed ? read_welcome_payload(completed->payload) : std::nullopt;
  return welcome ? std::optional{Welcomed{*welcome, completed->keys}} : std::nullopt;
}

}  // namespace tributary::bonding
