#include "bonding/handshake/cookies.hh"

#include "bonding/wire/bytes.hh"

namespace tributary::bonding {
namespace {

constexpr Duration kPeriod = std::chrono::minutes{1};

void make_random(HashKey& secret) { randombytes_buf(secret.data(), HashKey::kSize); }

Tag cookie_by(const HashKey& secret, const PeerAddress& address, ByteSpan public_key) {
  Bytes port;
  ByteWriter{port}.number(address.port, 2);
  return keyed_hash(secret, {address.address, port, public_key});
}

}  // namespace

Cookies::Cookies() {
  for (HashKey& secret : secrets_) make_random(secret);
}

void Cookies::renew(TimePoint now) {
  if (now - since_ < kPeriod) return;
  if (now - since_ < 2 * kPeriod) {
    secrets_[1] = secrets_[0];
  } else {
    make_random(secrets_[1]);
  }
  make_random(secrets_[0]);
  since_ = now;
}

Tag Cookies::cookie(const PeerAddress& address, ByteSpan public_key, TimePoint now) {
  renew(now);
  return cookie_by(secrets_[0], address, public_key);
}

bool Cookies::is_valid(const Tag& cookie, const PeerAddress& address, ByteSpan public_key, TimePoint now) {
  renew(now);
  return std::ranges::any_of(
      secrets_, [&](const HashKey& secret) { return equal(cookie, cookie_by(secret, address, public_key)); });
}

}  // namespace tributary::bonding
