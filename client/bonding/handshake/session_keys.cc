#include "bonding/handshake/session_keys.hh"

namespace tributary::bonding {
namespace {

SessionKey derived(const SessionKey& key) {
  constexpr std::array<char, crypto_kdf_CONTEXTBYTES> kContext{'r', 'e', 'c', 'o', 'r', 'd', 's', '1'};
  static_assert(SessionKey::kSize == crypto_kdf_KEYBYTES);
  SessionKey made;
  crypto_kdf_derive_from_key(made.data(), SessionKey::kSize, 1, kContext.data(), key.data());
  return made;
}

}  // namespace

SessionKeys record_keys(const SessionKeys& of_datagrams) {
  return {derived(of_datagrams.send), derived(of_datagrams.receive)};
}

}  // namespace tributary::bonding
