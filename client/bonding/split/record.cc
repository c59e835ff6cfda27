#include "bonding/split/record.hh"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "bonding/wire/packet_header.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kSizeWidth = 2;

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

Bytes RecordWriter::write(ByteSpan plain) {
  assert(plain.size() <= kMostPlain);
  const Bytes sealed = sealer_.seal({connection_, link_, static_cast<PathSequence>(next_++)}, plain);
  Bytes record;
  record.reserve(kSizeWidth + sealed.size());
  ByteWriter writer{record};
  writer.number(sealed.size(), kSizeWidth);
  writer.bytes(sealed);
  return record;
}

std::optional<Bytes> RecordBuffer::take() {
  ByteReader reader{ByteSpan{bytes_}.subspan(read_)};
  const std::size_t size = reader.number(kSizeWidth);
  const ByteSpan sealed = reader.bytes(size);
  if (reader.failed()) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(std::exchange(read_, 0)));
    return std::nullopt;
  }
  read_ += kSizeWidth + size;
  return Bytes(sealed.begin(), sealed.end());
}

std::optional<Bytes> RecordReader::open(ConnectionId connection, PathId link, ByteSpan sealed) {
  const auto header = read_header(sealed);
  if (!header || header->connection != connection || header->path != link) return std::nullopt;
  const auto number = static_cast<std::uint64_t>(header->sequence);
  if (number < next_) return std::nullopt;
  auto plain = opener_.open(*header, sealed);
  if (plain) next_ = number + 1;
  return plain;
}

}  // namespace tributary::bonding
