#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "bonding/inner/tcp_segment.hh"
#include "tunnel/machine/offload/divided_packets.hh"
#include "tunnel/machine/offload/joined_packets.hh"

namespace tributary {
namespace {

using bonding::TcpSegment, bonding::number_at, bonding::write_number, bonding::write_sum;
using Packet = std::vector<std::byte>;
using Packets = std::vector<Packet>;

struct Made {
  bool ipv6 = false;
  std::uint16_t port = 80;
  std::uint32_t sequence = 1, acknowledged = 7;
  std::uint8_t flags = TcpSegment::kAck;
  std::size_t size = 1000;
  std::uint16_t identification = 0;
};

/// A segment with a timestamp option.
Packet segment(const Made& made) {
  constexpr std::size_t kOptions = 12;
  const std::size_t tcp = made.ipv6 ? 40 : 20;
  Packet packet(tcp + 20 + kOptions + made.size);
  for (std::size_t i = tcp + 20 + kOptions; i < packet.size(); ++i)
    packet[i] = static_cast<std::byte>(made.sequence + i);
  if (made.ipv6) {
    write_number(packet, 0, 4, 0x60000000);
    write_number(packet, 6, 2, 6U << 8 | 64);
    write_number(packet, 23, 1, 1);
    write_number(packet, 39, 1, 2);
  } else {
    write_number(packet, 0, 1, 0x45);
    write_number(packet, 4, 2, made.identification);
    write_number(packet, 6, 2, 0x4000);
    write_number(packet, 8, 2, 64U << 8 | 6);
    write_number(packet, 12, 4, 0x0a000001);
    write_number(packet, 16, 4, 0x0a000002);
  }
  write_number(packet, tcp, 2, made.port);
  write_number(packet, tcp + 4, 4, made.sequence);
  write_number(packet, tcp + 8, 4, made.acknowledged);
  write_number(packet, tcp + 12, 1, (20 + kOptions) / 4 << 4);
  write_number(packet, tcp + 13, 1, made.flags);
  write_number(packet, tcp + 14, 2, 500);
  write_number(packet, tcp + 20, 4, 0x0101080a);
  const TcpSegment parts{.ipv6 = made.ipv6, .tcp = tcp, .payload = tcp + 20 + kOptions};
  parts.write_length(packet);
  parts.write_checksum(packet);
  return packet;
}

/// `count` of them, of which the last is shorter.
Packets run(Made made, std::size_t count) {
  Packets packets;
  const std::size_t size = made.size;
  for (std::size_t i = 0; i < count; ++i) {
    made.size = i + 1 < count ? size : size / 2 + 1;
    packets.push_back(segment(made));
    made.sequence += static_cast<std::uint32_t>(made.size);
    ++made.identification;
  }
  return packets;
}

Packets divided(const std::vector<JoinedPacket>& joined) {
  Packets packets;
  for (const JoinedPacket& one : joined) {
    for (Packet& packet : divided_packets(one.header, one.packet)) packets.push_back(std::move(packet));
  }
  return packets;
}

TEST(Offload, ARunOfSegmentsIsOnePacketAndTheSameSegmentsAgain) {
  for (const bool ipv6 : {false, true}) {
    for (const std::size_t size : {1, 2, 999, 1361}) {
      const Packets packets = run({.ipv6 = ipv6, .sequence = 0xfffffff0, .size = size, .identification = 65530}, 40);
      const auto joined = joined_packets(packets);
      ASSERT_EQ(joined.size(), 1U) << size;
      EXPECT_EQ(joined[0].header.segment_size, size);
      EXPECT_EQ(divided(joined), packets) << size;
    }
  }
}

TEST(Offload, ARunIsNoLargerThanAPacketCanBe) {
  const Packets packets = run({.size = 1400}, 100);
  const auto joined = joined_packets(packets);
  EXPECT_GT(joined.size(), 1U);
  EXPECT_LT(joined.size(), 4U);
  EXPECT_EQ(divided(joined), packets);
}

TEST(Offload, ConnectionsThatComeByTurnsAreJoinedEach) {
  const Packets a = run({.port = 1}, 5), b = run({.port = 2, .sequence = 99}, 5);
  Packets both;
  for (std::size_t i = 0; i < a.size(); ++i) both.insert(both.end(), {a[i], b[i]});
  const auto joined = joined_packets(both);
  ASSERT_EQ(joined.size(), 2U);
  Packets expected = a;
  expected.insert(expected.end(), b.begin(), b.end());
  EXPECT_EQ(divided(joined), expected);
}

TEST(Offload, WhatSaysSomethingElseStaysAlone) {
  const Made first;
  Made second{.sequence = 1001};
  const auto together = [&] { return joined_packets({segment(first), segment(second)}).size() == 1; };
  EXPECT_TRUE(together());
  for (const auto& change : std::initializer_list<void (*)(Made&)>{
           [](Made& made) { made.acknowledged = 8; }, [](Made& made) { made.flags |= TcpSegment::kFin; },
           [](Made& made) { made.sequence = 1002; }, [](Made& made) { made.size = 1001; },
           [](Made& made) { made.size = 0; }, [](Made& made) { made.port = 81; }}) {
    second = {.sequence = 1001};
    change(second);
    EXPECT_FALSE(together());
  }
}

TEST(Offload, NothingFollowsAPush) {
  Packets packets = run({.size = 100}, 3);
  const Packets pushed{
      packets[0],
      segment({.sequence = 101, .flags = TcpSegment::kAck | TcpSegment::kPsh, .size = 100, .identification = 1}),
      segment({.sequence = 201, .size = 100, .identification = 2})};
  const auto joined = joined_packets(pushed);
  ASSERT_EQ(joined.size(), 2U);
  EXPECT_EQ(divided(joined), pushed);
}

TEST(Offload, ADamagedSegmentIsHandedOnAsItIs) {
  Packets packets = run({}, 4);
  packets[2].back() ^= std::byte{1};
  const auto joined = joined_packets(packets);
  EXPECT_EQ(joined.size(), 3U);
  EXPECT_EQ(divided(joined), packets);
}

TEST(Offload, AChecksumThatIsLeftToTheDeviceIsWritten) {
  const Packet whole = segment({});
  Packet without = whole;
  const auto parts = TcpSegment::in(whole);
  write_sum(without, parts->tcp + TcpSegment::kChecksum, parts->pseudo_sum(without, without.size() - parts->tcp));
  OffloadHeader header{};
  header.flags = OffloadHeader::kNeedsChecksum;
  header.checksum_from = static_cast<std::uint16_t>(parts->tcp);
  header.checksum_offset = TcpSegment::kChecksum;
  EXPECT_THAT(divided_packets(header, without), testing::ElementsAre(whole));
  header.checksum_from = 60'000;
  EXPECT_THAT(divided_packets(header, without), testing::IsEmpty());
}

TEST(Offload, WhatMakesNoSenseDoesNoHarm) {
  std::mt19937 random{7};  // NOLINT: the same each time
  for (int i = 0; i < 20'000; ++i) {
    Packets packets = run({.ipv6 = random() % 2 == 0, .size = random() % 300}, 3);
    for (Packet& packet : packets) {
      for (int n = random() % 4; n > 0; --n)
        packet[random() % std::min<std::size_t>(packet.size(), 80)] = static_cast<std::byte>(random());
      if (random() % 8 == 0) packet.resize(random() % (packet.size() + 1));
    }
    OffloadHeader header{};
    header.flags = static_cast<std::uint8_t>(random() % 2);
    header.type = static_cast<std::uint8_t>(random() % 6);
    header.segment_size = static_cast<std::uint16_t>(random() % 100);
    header.checksum_from = static_cast<std::uint16_t>(random() % 100);
    header.checksum_offset = static_cast<std::uint16_t>(random() % 20);
    for (const Packet& packet : divided_packets(header, packets[0]))
      EXPECT_FALSE(packet.empty() && !packets[0].empty());
    std::size_t bytes = 0;
    for (const JoinedPacket& joined : joined_packets(packets)) bytes += joined.packet.size();
    EXPECT_LE(bytes, packets[0].size() + packets[1].size() + packets[2].size());
  }
}

}  // namespace
}  // namespace tributary
