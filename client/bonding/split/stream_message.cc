#include "bonding/split/stream_message.hh"

#include <algorithm>

#include "units/overloaded.hh"

namespace tributary::bonding {
namespace {

// The first byte: what it is, and for data two bits.
constexpr std::uint8_t kData = 0x10, kProgress = 0x20, kReset = 0x30;
constexpr std::uint8_t kLast = 1, kOpens = 2;
constexpr std::size_t kStreamWidth = 4, kOffsetWidth = 8, kPortWidth = 2;

std::optional<StreamMessage> read_data(std::uint8_t flags, StreamId stream, ByteReader& reader) {
  StreamData data{.stream = stream, .offset = reader.number(kOffsetWidth), .bytes = {}, .last = (flags & kLast) != 0};
  if ((flags & kOpens) != 0) {
    PeerAddress to;
    std::ranges::copy(reader.bytes(to.address.size()), to.address.begin());
    to.port = static_cast<std::uint16_t>(reader.number(kPortWidth));
    data.destination = to;
    if (data.offset != 0) return std::nullopt;
  }
  data.bytes = reader.bytes(reader.rest().size());
  // So that no sum of offsets and sizes runs over.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  return data.offset < kMost ? std::optional<StreamMessage>{data} : std::nullopt;
}

}  // namespace

std::optional<StreamMessage> read_stream_message(ByteSpan plain) {
  ByteReader reader{plain};
  const auto first = static_cast<std::uint8_t>(reader.number(1));
  const auto stream = static_cast<StreamId>(reader.number(kStreamWidth));
  std::optional<StreamMessage> message;
  if ((first & ~(kLast | kOpens)) == kData) {
    message = read_data(first, stream, reader);
  } else if (first == kProgress) {
    const std::uint64_t received = reader.number(kOffsetWidth);
    message = StreamProgress{stream, received, reader.number(kOffsetWidth)};
  } else if (first == kReset) {
    message = StreamReset{stream};
  }
  return reader.complete() ? message : std::nullopt;
}

Bytes write_stream_message(const StreamMessage& message) {
  Bytes plain;
  ByteWriter writer{plain};
  const auto begin = [&](std::uint8_t first, StreamId stream) {
    writer.number(first, 1);
    writer.number(static_cast<std::uint32_t>(stream), kStreamWidth);
  };
  std::visit(Overloaded{
                 [&](const StreamData& data) {
                   plain.reserve(kStreamOverhead + data.bytes.size());
                   const int flags = (data.last ? kLast : 0) | (data.destination ? kOpens : 0);
                   begin(static_cast<std::uint8_t>(kData | flags), data.stream);
                   writer.number(data.offset, kOffsetWidth);
                   if (data.destination) {
                     writer.bytes(data.destination->address);
                     writer.number(data.destination->port, kPortWidth);
                   }
                   writer.bytes(data.bytes);
                 },
                 [&](const StreamProgress& progress) {
                   begin(kProgress, progress.stream);
                   writer.number(progress.received, kOffsetWidth);
                   writer.number(progress.limit, kOffsetWidth);
                 },
                 [&](const StreamReset& reset) { begin(kReset, reset.stream); },
             },
             message);
  return plain;
}

}  // namespace tributary::bonding
