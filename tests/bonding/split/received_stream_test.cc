#include "bonding/split/received_stream.hh"

#include <gtest/gtest.h>

namespace tributary::bonding {
namespace {

constexpr std::size_t kStreamSize = 60'000;  // within the first limit

std::byte byte_at(std::uint64_t offset) { return static_cast<std::byte>(offset * 7 / 3); }

bool comes(ReceivedStream& stream, std::uint64_t from, std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = byte_at(from + i);
  return stream.arrived({.stream = StreamId{1}, .offset = from, .bytes = bytes});
}

void expect_whole(ReceivedStream& stream) {
  const Bytes got = stream.take(2 * kStreamSize);
  ASSERT_EQ(got.size(), kStreamSize);
  for (std::size_t i = 0; i < kStreamSize; ++i) ASSERT_EQ(got[i], byte_at(i)) << i;
}

TEST(ReceivedStream, PiecesOfOneByteTakeFewBlocks) {
  ReceivedStream stream;
  for (std::uint64_t i = 0; i < kStreamSize; ++i) ASSERT_TRUE(comes(stream, i, 1));
  EXPECT_LE(stream.blocks(), 8U);
  expect_whole(stream);
}

TEST(ReceivedStream, PiecesOfOneByteBehindAGapTakeFewBlocksToo) {
  ReceivedStream stream;
  for (std::uint64_t i = 1; i < kStreamSize; ++i) ASSERT_TRUE(comes(stream, i, 1));
  EXPECT_FALSE(stream.has_bytes());
  EXPECT_LE(stream.blocks(), 8U);
  ASSERT_TRUE(comes(stream, 0, 1));
  expect_whole(stream);
}

TEST(ReceivedStream, PartsWithGapsBetweenThemAreFew) {
  ReceivedStream stream;
  std::uint64_t at = 1;
  while (at < kStreamSize && comes(stream, at, 1)) at += 2;
  EXPECT_LE(stream.blocks(), ReceivedStream::kMostEarly + 1);
}

TEST(ReceivedStream, GapsThatAreFilledInAnyOrderLeaveTheBytesWhole) {
  ReceivedStream stream;
  constexpr std::size_t kPiece = 300;
  for (const std::uint64_t offset : {2, 0, 1}) {
    for (std::uint64_t i = offset; i < kStreamSize / kPiece; i += 3) ASSERT_TRUE(comes(stream, i * kPiece, kPiece));
  }
  expect_whole(stream);
}

}  // namespace
}  // namespace tributary::bonding
