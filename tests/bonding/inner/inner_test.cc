#include <gtest/gtest.h>

#include "bonding/inner/address_pool.hh"
#include "bonding/inner/inner_packet.hh"
#include "bonding/inner/inner_queue.hh"
#include "bonding/inner/unconfirmed_packets.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

/// IPv4 and TCP, from port `port`.
Bytes packet_from_port(std::uint16_t port) {
  Bytes packet(40);
  packet[0] = std::byte{0x45};
  packet[9] = std::byte{6};
  packet[20] = static_cast<std::byte>(port >> 8);
  packet[21] = static_cast<std::byte>(port);
  return packet;
}

TEST(InnerPacket, ItsFlowIsThatOfAddressesAndPorts) {
  EXPECT_EQ(flow_of(packet_from_port(80)), flow_of(packet_from_port(80)));
  EXPECT_NE(flow_of(packet_from_port(80)), flow_of(packet_from_port(81)));
  Bytes fragment = packet_from_port(80), other = packet_from_port(81);
  fragment[6] = other[6] = std::byte{0x20};  // more fragments: the others have no ports
  EXPECT_EQ(flow_of(fragment), flow_of(other));
}

TEST(InnerPacket, WhatIsCutOrNoIpHasNoAddresses) {
  const Bytes packet = packet_from_port(80);
  EXPECT_TRUE(inner_addresses(packet));
  for (std::size_t size = 0; size < 20; ++size) EXPECT_FALSE(inner_addresses(ByteSpan{packet}.first(size)));
  Bytes six(40, std::byte{0x60});
  EXPECT_EQ(inner_addresses(six)->source.size(), 16U);
  EXPECT_FALSE(inner_addresses(ByteSpan{six}.first(39)));
  EXPECT_FALSE(inner_addresses(Bytes(60)));
}

TEST(InnerQueue, DropsNothingThatWaitsForAShortTime) {
  InnerQueue queue;
  for (int i = 0; i < 1'000; ++i) {
    const TimePoint now{i * 10ms};
    queue.push(Bytes(1'000), now);
    queue.push(Bytes(1'000), now);
    ASSERT_TRUE(queue.front(now + 5ms));
    queue.take();
    queue.take();
  }
  EXPECT_EQ(queue.dropped(), 0U);
}

/// More comes than goes: the queue would grow without end.
TEST(InnerQueue, AStandingQueueIsKeptShort) {
  InnerQueue queue;
  Duration longest{};
  for (int i = 0; i < 10'000; ++i) {
    const TimePoint now{i * 1ms};
    queue.push(Bytes(1'000), now);
    if (i % 10 == 9) continue;  // one in ten is too much
    const InnerQueue::Waiting* first = queue.front(now);
    if (first == nullptr) continue;
    if (i > 5'000) longest = std::max(longest, now - first->since);
    queue.take();
  }
  EXPECT_NEAR(static_cast<double>(queue.dropped()), 1'000, 150);
  EXPECT_LT(longest, 150ms);
}

TEST(InnerQueue, IsNeverLargerThan1MB) {
  InnerQueue queue;
  for (int i = 0; i < 2'000; ++i) queue.push(Bytes(1'000), TimePoint{});
  EXPECT_EQ(queue.size(), 1'000_kB);
  EXPECT_EQ(queue.dropped(), 1'000U);
}

TEST(UnconfirmedPackets, AreKeptUntilTheyAreSettledAndWithinABound) {
  UnconfirmedPackets packets;
  packets.sent(GlobalSequence{7}, Bytes(3), TimePoint{1s});
  EXPECT_EQ(packets.find(GlobalSequence{7})->first_sent_at, TimePoint{1s});
  packets.settled(GlobalSequence{7});
  EXPECT_EQ(packets.find(GlobalSequence{7}), nullptr);
  for (std::uint64_t i = 10; i < 60; ++i) packets.sent(static_cast<GlobalSequence>(i), Bytes(100'000), TimePoint{});
  EXPECT_EQ(packets.size(), UnconfirmedPackets::kMost);
  EXPECT_EQ(packets.find(GlobalSequence{10}), nullptr);
  EXPECT_NE(packets.find(GlobalSequence{59}), nullptr);
}

TEST(AddressPool, HandsOutTheLowestFreeNumber) {
  AddressPool pool{2};
  EXPECT_EQ(pool.take(), HostNumber{2});
  EXPECT_EQ(pool.take(), HostNumber{3});
  EXPECT_FALSE(pool.take());
  pool.give_back(HostNumber{2});
  EXPECT_EQ(pool.take(), HostNumber{2});
}

TEST(InnerNetwork, KnowsItsHosts) {
  const InnerNetwork network;
  const auto ipv4 = network.ipv4_of(HostNumber{258});
  EXPECT_EQ(ipv4, (std::array{std::byte{10}, std::byte{117}, std::byte{1}, std::byte{2}}));
  EXPECT_EQ(network.host_of(ipv4), HostNumber{258});
  EXPECT_EQ(network.host_of(network.ipv6_of(HostNumber{258})), HostNumber{258});
  EXPECT_FALSE(network.host_of(std::array{std::byte{10}, std::byte{118}, std::byte{1}, std::byte{2}}));
  EXPECT_FALSE(network.host_of(Bytes(5)));
}

}  // namespace
}  // namespace tributary::bonding
