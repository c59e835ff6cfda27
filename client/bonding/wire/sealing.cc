#include "bonding/wire/sealing.hh"

#include <algorithm>
#include <array>

namespace tributary::bonding {
namespace {

constexpr std::size_t kTagSize = crypto_aead_xchacha20poly1305_ietf_ABYTES;
using Nonce = std::array<unsigned char, crypto_aead_xchacha20poly1305_ietf_NPUBBYTES>;

Nonce nonce_of(const PacketHeader& header) {
  Nonce nonce{};
  nonce[0] = static_cast<unsigned char>(header.path);
  std::uint64_t sequence = to_index(header.sequence);
  for (auto byte = nonce.rbegin(); sequence != 0; ++byte, sequence >>= 8) *byte = static_cast<unsigned char>(sequence);
  return nonce;
}

}  // namespace

Bytes Sealer::seal(const PacketHeader& header, ByteSpan plain) const {
  Bytes datagram;
  datagram.reserve(PacketHeader::kSize + plain.size() + kTagSize);
  write_header(header, datagram);
  datagram.resize(PacketHeader::kSize + plain.size() + kTagSize);
  crypto_aead_xchacha20poly1305_ietf_encrypt(as_unsigned(datagram.data() + PacketHeader::kSize), nullptr,
                                             as_unsigned(plain), plain.size(), as_unsigned(datagram),
                                             PacketHeader::kSize, nullptr, nonce_of(header).data(), key_.data());
  return datagram;
}

std::optional<Bytes> Opener::open(const PacketHeader& header, ByteSpan datagram) const {
  if (datagram.size() < PacketHeader::kSize + kTagSize) return std::nullopt;
  const ByteSpan sealed = datagram.subspan(PacketHeader::kSize);
  Bytes plain(sealed.size() - kTagSize);
  const int refused = crypto_aead_xchacha20poly1305_ietf_decrypt(
      as_unsigned(plain.data()), nullptr, nullptr, as_unsigned(sealed), sealed.size(), as_unsigned(datagram),
      PacketHeader::kSize, nonce_of(header).data(), key_.data());
  return refused == 0 ? std::optional{std::move(plain)} : std::nullopt;
}

}  // namespace tributary::bonding
