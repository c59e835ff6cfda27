#pragma once

#include <array>
#include <initializer_list>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/secret.hh"

namespace tributary::bonding {

/// BLAKE2b with a key (crypto_generichash): who has the key can make and check it, nobody else.
using Tag = std::array<std::byte, crypto_generichash_BYTES>;
using HashKey = Secret<crypto_generichash_KEYBYTES>;

inline Tag keyed_hash(const HashKey& key, std::initializer_list<ByteSpan> parts) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, key.data(), HashKey::kSize, crypto_generichash_BYTES);
  for (const ByteSpan part : parts) crypto_generichash_update(&state, as_unsigned(part), part.size());
  Tag tag;
  crypto_generichash_final(&state, as_unsigned(tag.data()), tag.size());
  sodium_memzero(&state, sizeof state);
  return tag;
}

/// In constant time.
inline bool equal(const Tag& a, const Tag& b) { return sodium_memcmp(a.data(), b.data(), a.size()) == 0; }

}  // namespace tributary::bonding
