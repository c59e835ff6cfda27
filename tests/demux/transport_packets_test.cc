#include "demux/transport_packets.hh"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "demux/segment_layout.hh"
#include "demux/transport_times.hh"

namespace tributary {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::size_t kPacket = kTransportPacket;

/// A list of programs, and packets of picture that are numbered and state times.
Bytes stream(std::size_t packets, std::int64_t time = 0) {
  Bytes bytes;
  for (std::size_t i = 0; i < packets; ++i) {
    Bytes packet(kPacket, static_cast<std::byte>(i));
    const std::array<unsigned, 4> head{0x47, 0x40, i == 0 ? 0u : 0x41u, 0x10};
    for (std::size_t j = 0; j < head.size(); ++j) packet[j] = static_cast<std::byte>(head[j]);
    const std::int64_t t = time + static_cast<std::int64_t>(i) * 3600;
    const std::array<std::int64_t, 14> pes{0,
                                           0,
                                           1,
                                           0xe0,
                                           0,
                                           0,
                                           0x80,
                                           0x80,
                                           5,
                                           0x21 | (t >> 29 & 0xe),
                                           t >> 22 & 255,
                                           (t >> 14 & 0xfe) | 1,
                                           t >> 7 & 255,
                                           (t << 1 & 0xfe) | 1};
    if (i > 0) {
      for (std::size_t j = 0; j < pes.size(); ++j) packet[4 + j] = static_cast<std::byte>(pes[j]);
    }
    bytes.insert(bytes.end(), packet.begin(), packet.end());
  }
  return bytes;
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span{text});
  return {bytes.begin(), bytes.end()};
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Bytes in_steps(const Bytes& packets, std::size_t before, std::size_t behind) {
  Bytes bytes;
  for (std::size_t at = 0; at < packets.size(); at += kPacket) {
    bytes.resize(bytes.size() + before);
    bytes.insert(bytes.end(), packets.begin() + static_cast<std::ptrdiff_t>(at),
                 packets.begin() + static_cast<std::ptrdiff_t>(at + kPacket));
    bytes.resize(bytes.size() + behind);
  }
  return bytes;
}

TEST(TransportPackets, AreFoundWhateverStandsInFrontOfThemAndBehind) {
  const Bytes plain = stream(20);
  const Bytes tag = bytes_of(std::string_view{"ID3\x04\0\0\0\0\0\x03xyz", 13});
  const std::vector<Bytes> forms{plain,
                                 joined(Bytes(100), plain),
                                 joined(bytes_of("GIF89a of some bytes"), plain),
                                 joined(bytes_of("\x89PNG\r\n\x1a\n" + std::string(70'000, 'x')), plain),
                                 joined(tag, plain),
                                 joined(plain, Bytes(564)),
                                 joined(plain, Bytes(60, std::byte{0x47})),
                                 in_steps(plain, 4, 0),
                                 in_steps(plain, 0, 16)};
  for (std::size_t i = 0; i < forms.size(); ++i) {
    EXPECT_EQ(segment_layout(forms[i]), SegmentLayout::kTransportStream) << i;
    const TransportPackets packets = transport_packets(forms[i]);
    EXPECT_EQ(packets.bytes, plain) << i;
    EXPECT_EQ(packets.lost_at, std::nullopt) << i;
  }
}

TEST(TransportPackets, BehindALostByteTheNextOneIsFound) {
  const Bytes plain = stream(20);
  Bytes bytes = plain;
  bytes.erase(bytes.begin() + 5 * kPacket + 40);
  const TransportPackets packets = transport_packets(bytes);
  EXPECT_EQ(packets.lost_at, 6 * kPacket);
  Bytes without = plain;
  without.erase(without.begin() + 5 * kPacket, without.begin() + 6 * kPacket);
  EXPECT_EQ(packets.bytes, without);
}

TEST(TransportPackets, APacketWithoutItsSyncByteIsLostAlone) {
  const Bytes plain = stream(20);
  Bytes bytes = plain;
  bytes[7 * kPacket] = std::byte{0};
  EXPECT_EQ(transport_packets(bytes).bytes.size(), 19 * kPacket);
  EXPECT_EQ(transport_packets(bytes).lost_at, 7 * kPacket);
}

TEST(TransportPackets, OtherBytesAreNone) {
  for (const Bytes& bytes : {Bytes{}, Bytes(2000), bytes_of("<html>" + std::string(2000, 'G') + "</html>"),
                             bytes_of("\xff\xf1 sound of AAC")})
    EXPECT_NE(segment_layout(bytes), SegmentLayout::kTransportStream);
}

TEST(TransportTimes, OfTheFirstAndTheLastPacketThatStateOne) {
  const auto times = transport_times(stream(20, (std::int64_t{1} << 33) - 4 * 3600));
  ASSERT_TRUE(times);
  EXPECT_EQ(times->first, (std::int64_t{1} << 33) - 3 * 3600);
  EXPECT_EQ(times->last, 15 * 3600);
  EXPECT_EQ(transport_ticks(times->first, times->last), 18 * 3600);
  EXPECT_EQ(transport_ticks(times->last, times->first), -18 * 3600);
  EXPECT_EQ(transport_times(stream(1)), std::nullopt);
}

}  // namespace
}  // namespace tributary
