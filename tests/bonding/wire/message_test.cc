#include "bonding/wire/message.hh"

#include <gtest/gtest.h>

#include "bonding/wire/packet_header.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

SequenceRange range(std::uint64_t first, std::uint64_t last) {
  return {static_cast<PathSequence>(first), static_cast<PathSequence>(last)};
}

Bytes written(const Message& message) {
  Bytes plain;
  write_message({sent_time(TimePoint{5s}), message}, plain);
  return plain;
}

const Bytes kInner{std::byte{0x45}, std::byte{1}, std::byte{2}};

std::vector<Message> one_of_each() {
  return {InnerData{static_cast<GlobalSequence>(kSequenceEnd - 1), kInner},
          Feedback{PathId{3}, sent_time(TimePoint{4s}), 7ms, {range(90, 100), range(80, 88), range(0, 0)}},
          TrainCar{65535, 9, 10, 30_B},
          TrainReport{PathId{1}, 7, 5_Mbps},
          PathChallenge{{std::byte{1}, std::byte{2}}, 20_B},
          PathResponse{{std::byte{3}}},
          KeepAlive{8_B},
          PathLeft{PathId{2}},
          Close{},
          MtuProbe{100_B}};
}

TEST(Message, IsReadAsItWasWritten) {
  for (const Message& message : one_of_each()) {
    const Bytes plain = written(message);
    const auto read = read_message(plain);
    ASSERT_TRUE(read) << message.index();
    EXPECT_EQ(read->sent_at, sent_time(TimePoint{5s}));
    EXPECT_EQ(read->message.index(), message.index());
    EXPECT_EQ(written(read->message), plain);
  }
}

TEST(Message, InPartOrWithMoreIsNone) {
  for (const Message& message : one_of_each()) {
    const bool open_ended = std::holds_alternative<InnerData>(message);
    Bytes plain = written(message);
    const auto fixed = static_cast<std::size_t>((open_ended ? kInnerHeader : kMessageHeader).bytes());
    for (std::size_t size = 0; size < fixed; ++size) EXPECT_FALSE(read_message(ByteSpan{plain}.first(size)));
    plain.push_back(std::byte{1});  // no padding has that
    EXPECT_EQ(read_message(plain).has_value(), open_ended) << message.index();
  }
}

TEST(Message, RangesThatOverlapTouchOrGoBelow0AreRefused) {
  const auto feedback = [](std::uint64_t gap, std::uint64_t width) {
    Bytes plain = written(Feedback{PathId{}, SentTime{}, 0s, {range(50, 100)}});
    plain[plain.size() - 13] = std::byte{2};  // two ranges
    ByteWriter writer{plain};
    writer.number(gap, 6);
    writer.number(width, 6);
    return read_message(plain).has_value();
  };
  EXPECT_TRUE(feedback(2, 0));
  EXPECT_TRUE(feedback(2, 48));
  EXPECT_FALSE(feedback(2, 49));
  EXPECT_FALSE(feedback(1, 0));
  EXPECT_FALSE(feedback(0, 0));
  EXPECT_FALSE(feedback(51, 0));
}

TEST(Message, TheWidthOfTheHeaderIsThatOfAnEmptyPacket) {
  EXPECT_EQ(size_of(written(InnerData{})), kInnerHeader);
  EXPECT_EQ(size_of(written(KeepAlive{})), kMessageHeader);
}

TEST(SentTime, ComesRoundAfter71Minutes) {
  const SentTime before = sent_time(TimePoint{4294967290us}), after = sent_time(TimePoint{4294967300us});
  EXPECT_EQ(after - before, 10us);
  EXPECT_EQ(before - after, -10us);
}

TEST(PacketHeader, IsReadAsItWasWritten) {
  const PacketHeader header{ConnectionId{0x01020304}, PathId{5}, static_cast<PathSequence>(kSequenceEnd - 2),
                            KeyGeneration{3}};
  Bytes packet;
  write_header(header, packet);
  EXPECT_EQ(packet.size(), PacketHeader::kSize);
  EXPECT_EQ(read_header(packet), header);
  for (std::size_t size = 0; size < packet.size(); ++size) EXPECT_FALSE(read_header(ByteSpan{packet}.first(size)));
}

TEST(PacketHeader, OfAnotherVersionIsNone) {
  Bytes packet;
  write_header({}, packet);
  packet[0] = std::byte{0x10};
  EXPECT_FALSE(read_header(packet));
  EXPECT_FALSE(kind_of(packet));
}

TEST(PacketHeader, OfKeysThatAHandshakeCannotHaveIsNone) {
  EXPECT_EQ(kind_of(Bytes{std::byte{0x21}}), DatagramKind::kHello);
  EXPECT_FALSE(kind_of(Bytes{std::byte{0x25}}));
}

}  // namespace
}  // namespace tributary::bonding
