#include "demux/transport_packets.hh"

#include <algorithm>
#include <array>

#include "demux/id3_tag.hh"

namespace tributary {
namespace {

// From one packet to the next: plain; behind a time stamp (BDAV, "M2TS"); in front of 16 bytes of Reed-Solomon.
constexpr std::array<std::size_t, 3> kSteps{188, 192, 204};
constexpr std::size_t kEnough = 5;             // sync bytes in a row, as demuxers have it
constexpr std::size_t kLeast = 3;              // where the bytes end before
constexpr std::size_t kMostInFront = 1 << 20;  // a picture, that hosts of pictures want to see
constexpr std::byte kSync{0x47};

struct Place {
  std::size_t at = 0, step = kTransportPacket;
};

/// Sync bytes in a row, at most kEnough of them.
std::size_t row_at(std::span<const std::byte> bytes, const Place& place) {
  std::size_t row = 0;
  for (std::size_t at = place.at; row < kEnough && at < bytes.size() && bytes[at] == kSync; at += place.step) ++row;
  return row;
}

/// Whether the row ends with the bytes, or is long enough.
bool is_row(std::span<const std::byte> bytes, const Place& place, std::size_t least) {
  const std::size_t row = row_at(bytes, place);
  return row == kEnough || (row >= least && place.at + row * place.step >= bytes.size());
}

/// Whether a list of programs (PAT, packet identifier 0) is among the first packets from there on. In texts, where the
/// sync byte is a letter, no byte is zero.
bool lists_programs(std::span<const std::byte> bytes, const Place& place) {
  constexpr std::size_t kFirst = 100;
  for (std::size_t i = 0, at = place.at; i < kFirst && at + kTransportPacket <= bytes.size() && bytes[at] == kSync;
       ++i, at += place.step) {
    if ((bytes[at + 1] & std::byte{0x9f}) == std::byte{} && bytes[at + 2] == std::byte{}) return true;
  }
  return false;
}

std::optional<Place> place_at(std::span<const std::byte> bytes, std::size_t at, std::size_t least) {
  for (const std::size_t step : kSteps) {
    if (is_row(bytes, {at, step}, least)) return Place{at, step};
  }
  return std::nullopt;
}

std::optional<std::size_t> next_sync(std::span<const std::byte> bytes, std::size_t from) {
  const auto found =
      std::find(bytes.begin() + static_cast<std::ptrdiff_t>(std::min(from, bytes.size())), bytes.end(), kSync);
  return found == bytes.end() ? std::nullopt : std::optional{static_cast<std::size_t>(found - bytes.begin())};
}

std::optional<Place> first_transport_packet(std::span<const std::byte> bytes) {
  for (const std::size_t at : {std::size_t{0}, id3_tag(bytes).size}) {
    if (const auto place = place_at(bytes, at, 1)) return place;
  }
  for (auto at = next_sync(bytes, 0); at && *at < kMostInFront; at = next_sync(bytes, *at + 1)) {
    const auto place = place_at(bytes, *at, kLeast);
    if (place && lists_programs(bytes, *place)) return place;
  }
  if (!bytes.empty() && bytes.front() == kSync) return Place{};
  return std::nullopt;
}

/// The next packet behind a place where none begins.
std::optional<std::size_t> next_transport_packet(std::span<const std::byte> bytes, std::size_t from, std::size_t step) {
  for (auto at = next_sync(bytes, from); at; at = next_sync(bytes, *at + 1)) {
    if (*at + kTransportPacket <= bytes.size() && is_row(bytes, {*at, step}, kLeast)) return at;
  }
  return std::nullopt;
}

}  // namespace

bool is_transport_stream(std::span<const std::byte> bytes) { return first_transport_packet(bytes).has_value(); }

TransportPackets transport_packets(std::span<const std::byte> bytes) {
  TransportPackets packets;
  const auto first = first_transport_packet(bytes);
  if (!first) return packets;
  packets.bytes.reserve(bytes.size());
  for (std::size_t at = first->at; at + kTransportPacket <= bytes.size();) {
    if (bytes[at] != kSync) {
      // A packet may have lost bytes itself: the next one begins within it then.
      const std::size_t before = packets.bytes.empty() ? at : at - first->step;
      const auto next = next_transport_packet(bytes, before + 1, first->step);
      if (!next) break;
      if (*next < at) packets.bytes.resize(packets.bytes.size() - kTransportPacket);
      if (!packets.lost_at) packets.lost_at = at;
      at = *next;
    }
    const auto packet = bytes.subspan(at, kTransportPacket);
    packets.bytes.insert(packets.bytes.end(), packet.begin(), packet.end());
    at += first->step;
  }
  return packets;
}

std::size_t whole_transport_packets(std::span<const std::byte> bytes) {
  std::size_t at = 0;
  while (bytes.size() - at >= kTransportPacket && bytes[at] == kSync) at += kTransportPacket;
  return at;
}

}  // namespace tributary
