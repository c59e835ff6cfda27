#include "bonding/split/record.hh"

#include <algorithm>
#include <cassert>
#include <utility>

#include "bonding/wire/packet_header.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kSizeWidth = 2;

}  // namespace

Bytes RecordWriter::write(ByteSpan plain) {
  assert(plain.size() <= kMostPlain);
  const PacketHeader header{connection_, link_, static_cast<PathSequence>(next_++)};
  const Bytes sealed = keys_->seal(KeyRing::Use::kRecords, header, plain);
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
  auto plain = keys_->open(KeyRing::Use::kRecords, *header, sealed);
  if (plain) next_ = number + 1;
  return plain;
}

}  // namespace tributary::bonding
