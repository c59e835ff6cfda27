#include "bonding/split/record.hh"

#include <gtest/gtest.h>

#include <algorithm>

namespace tributary::bonding {
namespace {

constexpr ConnectionId kConnection{77};
constexpr PathId kLink{2};

/// Of an end that writes what it reads itself.
std::shared_ptr<const KeyRing> ring_of(unsigned char first) {
  SessionKeys keys;
  std::fill_n(keys.send.data(), SessionKey::kSize, first);
  keys.receive = keys.send;
  return std::make_shared<KeyRing>(keys);
}

Bytes text(std::size_t size) { return Bytes(size, std::byte{'t'}); }

/// What the buffer has of a record's text.
std::optional<Bytes> sealed_of(const Bytes& record) {
  RecordBuffer buffer;
  buffer.add(record);
  return buffer.take();
}

TEST(Record, AreReadOneAfterAnotherHoweverTheyCome) {
  RecordWriter writer{kConnection, kLink, ring_of(1)};
  Bytes all;
  for (const std::size_t size : {0UL, 1UL, 500UL, RecordWriter::kMostPlain}) {
    const Bytes record = writer.write(text(size));
    all.insert(all.end(), record.begin(), record.end());
  }
  for (const std::size_t at_once : {1UL, 7UL, 100'000UL}) {
    RecordBuffer buffer;
    RecordReader reader{ring_of(1)};
    std::vector<std::size_t> sizes;
    for (std::size_t from = 0; from < all.size(); from += at_once) {
      buffer.add(ByteSpan{all}.subspan(from, std::min(at_once, all.size() - from)));
      while (const auto sealed = buffer.take()) {
        const auto plain = reader.open(kConnection, kLink, *sealed);
        ASSERT_TRUE(plain);
        EXPECT_EQ(*plain, text(plain->size()));
        sizes.push_back(plain->size());
      }
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{0, 1, 500, RecordWriter::kMostPlain}));
    EXPECT_EQ(buffer.size(), 0U);
  }
}

TEST(Record, OfOthersOrForTheSecondTimeAreRefused) {
  RecordWriter writer{kConnection, kLink, ring_of(1)};
  const auto first = sealed_of(writer.write(text(10))), second = sealed_of(writer.write(text(10)));
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(RecordReader{ring_of(2)}.open(kConnection, kLink, *first)) << "another key";
  EXPECT_FALSE(RecordReader{ring_of(1)}.open(ConnectionId{78}, kLink, *first)) << "another connection";
  EXPECT_FALSE(RecordReader{ring_of(1)}.open(kConnection, PathId{3}, *first)) << "another link";
  RecordReader reader{ring_of(1)};
  Bytes forged = *first;
  for (std::size_t i = 0; i < forged.size(); ++i) {
    forged[i] ^= std::byte{1};
    EXPECT_FALSE(reader.open(kConnection, kLink, forged)) << i;
    forged[i] ^= std::byte{1};
  }
  EXPECT_TRUE(reader.open(kConnection, kLink, *second)) << "those between may have been lost with their connection";
  EXPECT_FALSE(reader.open(kConnection, kLink, *second));
  EXPECT_FALSE(reader.open(kConnection, kLink, *first));
}

TEST(Record, ChangesItsKeysAlongWithTheDatagrams) {
  const auto keys = std::make_shared<KeyRing>(SessionKeys{});
  RecordWriter writer{kConnection, kLink, keys};
  RecordReader reader{keys};
  const auto old = sealed_of(writer.write(text(10)));
  keys->put(KeyGeneration{1}, SessionKeys{});
  keys->seal_with(KeyGeneration{1}, {});
  const auto renewed = sealed_of(writer.write(text(10)));
  EXPECT_EQ(read_header(*renewed)->generation, KeyGeneration{1});
  EXPECT_EQ(read_header(*renewed)->sequence, PathSequence{1}) << "numbers go on";
  EXPECT_TRUE(reader.open(kConnection, kLink, *old)) << "it was on its way";
  EXPECT_TRUE(reader.open(kConnection, kLink, *renewed));
  EXPECT_FALSE(reader.open(kConnection, kLink, *old));
}

}  // namespace
}  // namespace tributary::bonding
