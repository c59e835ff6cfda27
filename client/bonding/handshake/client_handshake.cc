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
  return write_hello({key_.public_key(), attempts.cookie}, shared_);
}

std::optional<Welcome> ClientHandshake::answered(PathId path, ByteSpan datagram, TimePoint now) {
  if (const auto cookie = read_retry(datagram, key_.public_key(), shared_)) {
    Attempts& attempts = attempts_[path];
    if (!attempts.cookie) attempts.next = now;
    attempts.cookie = cookie;
    return std::nullopt;
  }
  return read_welcome(datagram, key_, shared_);
}

}  // namespace tributary::bonding
