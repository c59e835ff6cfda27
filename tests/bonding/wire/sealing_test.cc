#include "bonding/wire/sealing.hh"

#include <gtest/gtest.h>

#include "bonding/wire/replay_window.hh"

namespace tributary::bonding {
namespace {

using namespace literals;

SessionKey some_key() {
  SessionKey key;
  randombytes_buf(key.data(), SessionKey::kSize);
  return key;
}

TEST(Sealing, IsUndoneByTheSameKey) {
  const SessionKey key = some_key();
  const PacketHeader header{ConnectionId{1}, PathId{2}, PathSequence{3}};
  const Bytes plain{std::byte{1}, std::byte{2}};
  const Bytes datagram = Sealer{key}.seal(header, plain);
  EXPECT_EQ(size_of(datagram), size_of(plain) + kSealedOverhead);
  EXPECT_EQ(read_header(datagram), header);
  EXPECT_EQ(Opener{key}.open(header, datagram), plain);
  EXPECT_FALSE(Opener{some_key()}.open(header, datagram));
}

TEST(Sealing, HoldsEachBitOfHeaderAndContents) {
  const SessionKey key = some_key();
  const Bytes datagram = Sealer{key}.seal({ConnectionId{1}, PathId{2}, PathSequence{3}}, Bytes(20));
  for (std::size_t bit = 0; bit < 8 * datagram.size(); ++bit) {
    Bytes changed = datagram;
    changed[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    const auto header = read_header(changed);
    EXPECT_FALSE(header && Opener{key}.open(*header, changed)) << bit;
  }
  for (std::size_t size = PacketHeader::kSize; size < datagram.size(); ++size) {
    const ByteSpan part = ByteSpan{datagram}.first(size);
    EXPECT_FALSE(Opener{key}.open(*read_header(part), part));
  }
}

TEST(Sealing, OfTheSameContentsDiffersByPathAndNumber) {
  const Sealer sealer{some_key()};
  const auto contents = [&](std::uint8_t path, std::uint64_t sequence) {
    Bytes datagram = sealer.seal({{}, static_cast<PathId>(path), static_cast<PathSequence>(sequence)}, Bytes(8));
    datagram.erase(datagram.begin(), datagram.begin() + PacketHeader::kSize);
    return datagram;
  };
  EXPECT_NE(contents(0, 1), contents(0, 2));
  EXPECT_NE(contents(0, 1), contents(1, 1));
  EXPECT_NE(contents(1, 0), contents(0, 1));
  EXPECT_NE(contents(0, kSequenceEnd - 1), contents(0, 255));
}

TEST(ReplayWindow, AcceptsEachNumberOnce) {
  ReplayWindow<8> window;
  for (const std::uint64_t number : {3, 1, 0, 2, 9, 4}) {
    EXPECT_TRUE(window.is_fresh(number)) << number;
    window.accept(number);
    EXPECT_FALSE(window.is_fresh(number)) << number;
  }
  EXPECT_FALSE(window.is_fresh(1));  // too old to tell
  EXPECT_TRUE(window.is_fresh(5));
}

TEST(ReplayWindow, ForgetsNothingInIt) {
  ReplayWindow<8> window;
  window.accept(0);
  window.accept(7);
  EXPECT_FALSE(window.is_fresh(0));
  window.accept(1'000);
  for (std::uint64_t number = 993; number < 1'000; ++number) EXPECT_TRUE(window.is_fresh(number));
  EXPECT_FALSE(window.is_fresh(992));
}

}  // namespace
}  // namespace tributary::bonding
